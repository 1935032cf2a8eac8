/* An event on a phone: the hall's clock counts by the server's time, the player's own lines are marked, and when a
   round opens the phone goes to its table. */
(() => {
  const region = () => document.getElementById("region");
  const feel = () => navigator.userActivation?.hasBeenActive && navigator.vibrate?.([200, 100, 200]);

  let warned;
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-until]")) {
      const { until, overtime } = clock.dataset;
      // `watching/watch.js` or `hall/strip.js` has said how far the device's clock is ahead.
      const left = Math.ceil(until - (Date.now() - window.ahead) / 1000);
      const more = left + +overtime;
      const phase = left > 300 ? "" : left > 0 ? "last" : more > 0 ? "late" : "done";
      const label = clock.querySelector(".label");
      clock.dataset.phase = phase;
      write(clock.querySelector("b"), span(Math.max(0, left > 0 ? left : more)));
      write(label, clock.dataset[phase || "label"]);
      if (!phase || warned === phase + until) continue;
      warned = phase + until;
      feel();
      document.getElementById("said")?.replaceChildren(label.textContent);
    }
  };

  // Points of tables in play are fetched every few seconds, so that no tap wakes every phone in the hall.
  const count = async () => {
    const url = document.getElementById("event-scores")?.dataset.url;
    // If the network is gone, the page's sign says so.
    const answer = url && !document.hidden && (await get(url));
    const scores = answer?.ok && (await answer.json().catch(() => null));
    for (const [key, points] of Object.entries(scores || {})) {
      document.querySelectorAll(`[data-pairing="${key}"] .player`).forEach((player, at) => {
        write(player.querySelector("b") ?? player.appendChild(document.createElement("b")), points[at] ?? "");
      });
    }
  };

  let waiting = region()?.dataset.goes;
  // A phone that comes from a table which is no more goes on to its new one.
  if (location.hash === "#sit") {
    waiting = "";
    history.replaceState(history.state, "", location.pathname);
  }
  const shown = () => {
    const me = region()?.dataset.me;
    for (const line of document.querySelectorAll("[data-players]")) {
      line.classList.toggle("mine", !!me && line.dataset.players.split(" ").includes(me));
    }
    count();
    tick();
    const goes = region()?.dataset.goes;
    if (goes && goes !== waiting) {
      feel();
      document.querySelector("[data-sits]")?.click();
    }
    waiting = goes;
  };

  document.addEventListener("watch:shown", shown);
  document.addEventListener("strip:shown", tick);
  setInterval(tick, 500);
  setInterval(count, 10000);
  shown();
})();
