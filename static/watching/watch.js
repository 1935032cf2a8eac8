/* A page for watchers shows what has changed, and reloads if the program has. Clocks count by the
   server's time. It runs for days: nothing piles up. */
(() => {
  const wait = document.getElementById("wait");
  const feed = document.getElementById("feed");
  // Never leave a page that works for one that cannot be loaded: the server has to answer first.
  const reload = async (...statuses) => {
    const answer = await get(location.href);
    if (isOurs(answer) && (answer.ok || statuses.includes(answer.status))) location.reload();
  };
  if (wait) setInterval(reload, 1000 * wait.dataset.seconds);
  if (!feed) return;
  const region = () => document.getElementById("region");
  const version = () => region().dataset.version;
  // By how much the time is ahead of a clock that nobody can set; it may stand still while the device sleeps.
  let based;
  const count = (moment) => {
    window.ahead = Date.now() - moment;
    based = Date.now() - performance.now();
  };
  const isSet = () => since(based + performance.now()) > 4400;
  let left = 0;
  const leave = async () => {
    if (since(left) < 5000) return;
    left = Date.now();
    await reload(403, 404, 410);
  };

  const show = (html) => {
    const made = document.createElement("template");
    made.innerHTML = html;
    const fresh = made.content.firstElementChild;
    if (fresh?.id !== "region" || fresh.dataset.version === version()) return;
    // What is drawn for the first time, such as a map, needs a page with the ground that it lies on.
    if (fresh.querySelector(".between") && !region().querySelector(".between")) return void leave();
    const held = document.activeElement;
    for (const open of region().querySelectorAll("details[id][open]")) fresh.querySelector(`#${open.id}`)?.setAttribute("open", "");
    const again = region().contains(held) && [...fresh.querySelectorAll(held.localName)].find((one) => one.getAttribute("href") === held.getAttribute("href") && one.value === held.value);
    for (const seat of fresh.querySelectorAll("[data-seat]")) {
      const old = region().querySelector(`[data-seat="${seat.dataset.seat}"]`);
      if (old && old.textContent !== seat.textContent) seat.classList.add("changed");
    }
    region().replaceWith(fresh);
    if (again) again.focus({ preventScroll: true });
    document.getElementById("said")?.replaceChildren(fresh.dataset.news);
    tick();
    document.dispatchEvent(new Event("watch:shown"));
  };

  const hours = (seconds) => `${Math.floor(seconds / 3600)}:${seconds % 3600 < 600 ? 0 : ""}${span(seconds % 3600)}`;
  const tick = () => {
    const moment = (Date.now() - window.ahead) / 1000;
    for (const node of document.querySelectorAll("[data-since]")) {
      const past = Math.max(0, Math.trunc(moment - node.dataset.since));
      write(node, (past < 3600 ? span : hours)(past));
    }
    for (const node of document.querySelectorAll("[data-ends]")) {
      // In minutes, as the server and the players' phones give it.
      const more = Math.trunc(node.dataset.ends - moment);
      write(node, (more < 0 ? "\u2212" : "") + span(Math.abs(more)));
      node.classList.toggle("late", node.dataset.ends < moment);
    }
    for (const node of document.querySelectorAll("[data-time]")) {
      write(node, new Date(1000 * node.dataset.time).toTimeString().slice(0, 5));
    }
  };

  follow({
    sign: feed,
    pace: 2,
    seen: version,
    news: () => `${feed.dataset.news}&seen=${version()}`,
    show,
    beat: (latest, ask) => latest !== version() && ask(),
    gone: leave,
    isSet,
    heed: ({ headers }) => isSet() && count(Date.parse(headers.get("date"))),
  });
  // A hidden page loses the lock; where the device does not allow it, it is refused.
  const hold = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", hold);
  hold();
  count(1000 * feed.dataset.now);
  setInterval(tick, 500);
  tick();
})();
