/* A page for watchers keeps itself current: a stream while it lasts, asking every few seconds while there is none,
   a reload if the program has changed. Clocks count by the server's time. It runs for days: nothing piles up. */
(() => {
  const wait = document.getElementById("wait");
  const feed = document.getElementById("feed");
  // A venue's log-in page or a proxy on the way may answer too, and knows nothing about the table.
  const isOurs = ({ headers }) => headers.has("cross-origin-resource-policy");
  // Never leave a page that works for one that cannot be loaded: the server has to answer first.
  const reload = async (statuses) => {
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (isOurs(answer) && (answer.ok || statuses.includes(answer.status))) location.reload();
    } catch {
      // later
    }
  };
  if (wait) setInterval(reload, 1000 * wait.dataset.seconds, []);
  if (!feed) return;
  const { stream, source: sourceUrl, news, now } = feed.dataset;
  const region = () => document.getElementById("region");
  const version = () => region().dataset.version;
  const said = document.getElementById("said");
  window.ahead = Date.now() - 1000 * now;
  // If the clock is set back, past moments lie ahead.
  const since = (moment) => Math.abs(Date.now() - moment);
  // A spectator's stream has a beat every four seconds; a page that hears none asks within five.
  const quietly = 4400;
  // By how much the time is ahead of a clock that nobody can set; it may stand still while the device sleeps.
  let based = Date.now() - performance.now();
  const isSet = () => since(based + performance.now()) > quietly;
  let url = stream;
  let source;
  let silent = "";
  let plain = "";
  let opened = 0;
  let heard = 0;
  let answered = Date.now();
  let asked = Date.now();
  let failures = 0;
  let timer;
  let lock;
  let leaving = false;

  const say = (state) => {
    if (feed.dataset.link === state) return;
    feed.dataset.link = state;
    feed.textContent = feed.dataset[state];
  };

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

  const rest = () => {
    source?.close();
    source = null;
    timer = clearTimeout(timer);
  };
  const open = async () => {
    rest();
    // If the address does not come, ask again; if it comes too late, it opens no second stream.
    const turn = (timer = setTimeout(again, 8000));
    try {
      if (!url) {
        const answer = await fetch(sourceUrl, { signal: AbortSignal.timeout(8000) });
        if (isOurs(answer) && answer.status > 402 && answer.status < 411) {
          await leaveOnce();
          return again();
        }
        url = (await answer.json()).url;
      }
    } catch {
      return turn === timer && again();
    }
    if (turn !== timer) return;
    clearTimeout(timer);
    opened = Date.now();
    heard = Math.min(heard, opened);
    const mine = (source = new EventSource(`${url}&changes=1&seen=${version()}${plain}`));
    // A long view comes as changes: ranges kept from the last one on this stream, and new text.
    let told;
    const hear = () => {
      silent = "";
      heard = Date.now();
      failures = 0;
      say("live");
    };
    mine.onopen = () => (silent = "&plain=1");
    mine.addEventListener("beat", (event) => {
      hear();
      if (event.data !== version()) ask();
    });
    const hearOf = (html) => {
      hear();
      show((told = html));
    };
    mine.addEventListener("board", (event) => hearOf(event.data));
    mine.addEventListener("change", (event) => hearOf(JSON.parse(event.data).map((one) => (one.map ? told.slice(...one) : one)).join("")));
    mine.addEventListener("over", () => (silent = ""));
    mine.onerror = () => mine === source && again();
  };

  // Whatever ended the stream may have brought another program: asking for a fresh address will show it.
  const again = () => {
    rest();
    url = "";
    plain ||= silent;
    silent = "";
    timer = setTimeout(open, Math.random() * Math.min(15000, 1000 * 2 ** failures++));
    if (failures > 1) ask();
  };

  const ask = async () => {
    if (since(asked) < 2000) return;
    asked = Date.now();
    try {
      const answer = await fetch(`${news}&seen=${version()}`, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (!isOurs(answer)) return;
      if (answer.status > 402 && answer.status < 411) return leaveOnce();
      if (!answer.ok) return;
      answered = Date.now();
      if (isSet()) {
        window.ahead = answered - Date.parse(answer.headers.get("date"));
        based = answered - performance.now();
      }
      if (answer.status === 200) show(await answer.text());
    } catch {
      // the sign says so
    }
  };

  const look = () => {
    if (document.hidden) return;
    if (stream) {
      const quiet = since(Math.max(heard, opened));
      if (source && quiet > (silent ? 5000 : 6000)) again();
      if (source && heard > opened && quiet < quietly && !isSet()) return say("live");
    }
    if (since(asked) > 4000) ask();
    if (since(Math.max(heard, answered)) > 9000) say("off");
    else if (since(heard) > 5000) say("slow");
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

  const hold = async () => {
    if (document.hidden || lock || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.onrelease = () => (lock = null);
    } catch {
      // the device does not allow it
    }
  };

  // Without encryption a browser keeps six connections, and tabs out of sight would use them up.
  const wake = () => {
    hold();
    if (document.hidden) rest();
    else if (stream) open();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("pagehide", rest);
  setInterval(look, 500);
  setInterval(tick, 500);
  tick();
  hold();
  if (stream) open();
})();
