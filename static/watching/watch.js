/* A page for watchers shows what has changed, and reloads if the program has. Clocks count by the
   server's time. It runs for days: nothing piles up. */
(() => {
  const wait = document.getElementById("wait");
  const feed = document.getElementById("feed");
  // Never leave a page that works for one that cannot be loaded: the server has to answer first.
  const reload = async (statuses) => {
    const answer = await get(location.href);
    if (isOurs(answer) && (answer.ok || statuses.includes(answer.status))) location.reload();
  };
  if (wait) setInterval(reload, 1000 * wait.dataset.seconds, []);
  if (!feed) return;
  const { news, now } = feed.dataset;
  const region = () => document.getElementById("region");
  const version = () => region().dataset.version;
  const said = document.getElementById("said");
  // By how much the time is ahead of a clock that nobody can set; it may stand still while the device sleeps.
  let based;
  const count = (moment) => {
    window.ahead = Date.now() - moment;
    based = Date.now() - performance.now();
  };
  const isSet = () => since(based + performance.now()) > 4400;
  let leaving = false;
  let lock;

  const leaveOnce = async () => {
    if (leaving) return;
    leaving = true;
    await reload([403, 404, 410]);
    setTimeout(() => (leaving = false), 5000);
  };

  const points = () => new Map([...document.querySelectorAll("[data-seat]")].map((seat) => [seat.dataset.seat, seat.textContent]));

  const show = (html) => {
    const made = document.createElement("template");
    made.innerHTML = html.trim();
    const fresh = made.content.firstElementChild;
    if (fresh?.id !== "region" || fresh.dataset.version === version()) return;
    // What is drawn for the first time, such as a map, needs a page with the ground that it lies on.
    if (fresh.querySelector(".between") && !region().querySelector(".between")) return void leaveOnce();
    const before = points();
    const held = document.activeElement;
    for (const open of region().querySelectorAll("details[id][open]")) fresh.querySelector(`#${open.id}`)?.setAttribute("open", "");
    const again = region().contains(held) && [...fresh.querySelectorAll(held.localName)].find((one) => one.getAttribute("href") === held.getAttribute("href") && one.value === held.value);
    // The button under a finger may have become another action: it rests until its user can look again.
    const action = (root) => root.querySelector(".next .main")?.value;
    const next = action(region()) !== action(fresh) && fresh.querySelector(".next");
    if (next) {
      next.inert = true;
      setTimeout(() => (next.inert = false), 300);
    }
    region().replaceWith(fresh);
    if (again) again.focus({ preventScroll: true });
    for (const seat of fresh.querySelectorAll("[data-seat]")) {
      const old = before.get(seat.dataset.seat);
      if (old !== undefined && old !== seat.textContent) seat.classList.add("changed");
    }
    if (said) said.textContent = fresh.dataset.news;
    tick();
    document.dispatchEvent(new Event("watch:shown"));
  };

  const two = (number) => String(number).padStart(2, "0");
  const span = (seconds) => {
    const whole = Math.abs(Math.trunc(seconds));
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
  };
  // The time left in a round is given in minutes, as the server and the players' phones give it.
  const left = (seconds) => {
    const whole = Math.abs(Math.trunc(seconds));
    return `${seconds <= -1 ? "\u2212" : ""}${Math.floor(whole / 60)}:${two(whole % 60)}`;
  };
  // Write only what has changed: the rest needs no repainting.
  const write = (node, text) => node.textContent === text || (node.textContent = text);
  const tick = () => {
    const moment = (Date.now() - window.ahead) / 1000;
    for (const node of document.querySelectorAll("[data-since]")) write(node, span(Math.max(0, moment - node.dataset.since)));
    for (const node of document.querySelectorAll("[data-ends]")) {
      write(node, left(node.dataset.ends - moment));
      node.classList.toggle("late", node.dataset.ends < moment);
    }
    for (const node of document.querySelectorAll("[data-time]")) {
      const at = new Date(1000 * node.dataset.time);
      write(node, `${two(at.getHours())}:${two(at.getMinutes())}`);
    }
  };

  follow({
    sign: feed,
    pace: 2,
    seen: version,
    news: () => `${news}&seen=${version()}`,
    show,
    beat: (latest, ask) => latest !== version() && ask(),
    gone: leaveOnce,
    isSet,
    heed: ({ headers }) => isSet() && count(Date.parse(headers.get("date"))),
  });
  const hold = async () => {
    if (document.hidden || lock || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.onrelease = () => (lock = null);
    } catch {
      // the device does not allow it
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
  count(1000 * now);
  setInterval(tick, 500);
  tick();
})();
