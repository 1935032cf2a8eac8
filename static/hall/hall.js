/* An event on a phone: the hall's clock counts by the server's time, the player's own lines are marked, and when a
   round opens the phone goes to its table. */
(() => {
  const warned = new Set();
  const two = (number) => String(number).padStart(2, "0");
  const span = (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  const write = (node, text) => node.textContent === text || (node.textContent = text);
  const feel = (pattern) => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

  const tell = (clock, moment) => {
    const { until, overtime, label, late, last, done } = clock.dataset;
    const left = Math.ceil(until - moment);
    const more = left + Number(overtime);
    const phase = left > 300 ? "" : left > 0 ? "last" : more > 0 ? "late" : "done";
    clock.dataset.phase = phase;
    write(clock.querySelector("b"), span(Math.max(0, left > 0 ? left : more)));
    write(clock.querySelector(".label"), { "": label, last, late, done }[phase]);
    if (phase && !warned.has(phase + until)) {
      warned.add(phase + until);
      feel([200, 100, 200]);
      const said = document.getElementById("said");
      if (said) said.textContent = clock.querySelector(".label").textContent;
    }
  };
  const tick = () => {
    const stamp = document.querySelector("[data-now]");
    // `watching/watch.js` and `hall/strip.js` correct this if the device's clock is set.
    if (stamp) window.ahead ??= Date.now() - 1000 * stamp.dataset.now;
    const moment = (Date.now() - (window.ahead ?? 0)) / 1000;
    for (const clock of document.querySelectorAll("[data-until]")) tell(clock, moment);
  };

  const region = () => document.getElementById("region");
  const mark = () => {
    const me = region()?.dataset.me;
    if (!me) return;
    for (const line of document.querySelectorAll("[data-players]")) {
      line.classList.toggle("mine", line.dataset.players.split(" ").includes(me));
    }
  };
  // Points of tables in play are fetched every few seconds, so that no tap wakes every phone in the hall.
  const count = async () => {
    const url = document.getElementById("event-scores")?.dataset.url;
    if (document.hidden || !url) return;
    // A request that hangs takes one of the browser's few connections, which taps need; the page's sign says so.
    const answer = await fetch(url, { signal: after(8000) }).catch(() => null);
    const scores = answer?.ok && (await answer.json().catch(() => null));
    for (const [key, points] of Object.entries(scores || {})) {
      document.querySelectorAll(`[data-pairing="${key}"] .player`).forEach((player, at) => {
        let cell = player.querySelector("b");
        if (!cell) player.append((cell = document.createElement("b")));
        write(cell, points[at] ?? "");
      });
    }
  };

  let waiting = region()?.dataset.goes;
  const shown = () => {
    mark();
    count();
    tick();
    const goes = region()?.dataset.goes;
    if (goes && goes !== waiting) {
      feel([200, 100, 200]);
      document.querySelector("[data-sits]")?.click();
    }
    waiting = goes;
  };

  // A tap is sent once; the page that follows has its own key.
  document.addEventListener("submit", (event) => {
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
  });
  addEventListener("pageshow", () => document.querySelectorAll("form").forEach((form) => delete form.dataset.sent));
  document.addEventListener("watch:shown", shown);
  document.addEventListener("strip:shown", tick);
  setInterval(tick, 500);
  setInterval(count, 10000);
  count();
  mark();
  tick();
})();
