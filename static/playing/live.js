/* News of the table: a stream while it lasts, asking every few seconds while it does not,
   and an honest word about which of them it is. */
(() => {
  const live = document.getElementById("live");
  const sign = document.getElementById("link");
  if (!live || !window.htmx) return;
  const { streamSource, board: boardUrl, patience } = live.dataset;
  const shown = () => document.getElementById("board").dataset;
  const version = () => Number(shown().version);
  // Who asks for a seat is no new version: where one is open, boards are told apart by this, too.
  const guests = () => shown().guests;
  // A clock that is set back has moments lie ahead.
  const since = (moment) => Math.abs(Date.now() - moment);
  let url = live.dataset.stream;
  let source = null;
  // A compressed stream that opens and says nothing was spoilt on its way: the next one is asked for plain.
  let silent = "";
  let plain = "";
  let opened = 0;
  let heard = Date.now();
  let answered = 0;
  let asked = Date.now();
  let asking = "slow";
  let failures = 0;
  let timer = 0;

  const say = (state) => {
    if (sign.dataset.link === state) return;
    sign.dataset.link = state;
    sign.textContent = sign.dataset[state];
  };

  // The newest board that is known of is shown.
  const current = () => document.dispatchEvent(new Event("table:heard"));

  const show = async (html, anyway) => {
    const found = / data-version="(\d+)"(?: data-guests="([\d.]*)")?/.exec(html);
    const later = found?.[1] - version();
    // An older board comes late, or from a backup: the server knows.
    if (later < 0) return ask();
    if (found && (later || anyway || found[2] !== guests()))
      await htmx.swap({ text: html.trim(), target: "#board", swap: "outerMorph" });
    current();
  };

  const hear = () => {
    silent = "";
    heard = Date.now();
    failures = 0;
    asking = "slow";
    say("live");
  };
  // While two programs answer in turn, a page does not load itself again and again.
  const anew = () => setTimeout(() => location.reload(), 3000 - performance.now());
  const open = async () => {
    clearTimeout(timer);
    source?.close();
    // An address that does not come is asked for again; one that comes too late opens no second stream.
    const turn = (timer = setTimeout(again, 8000));
    try {
      if (!url) {
        const answer = await fetch(streamSource, { signal: AbortSignal.timeout(8000) });
        if (answer.status === 410) return anew();
        url = (await answer.json()).url;
      }
    } catch {
      return turn === timer && again();
    }
    if (turn !== timer) return;
    clearTimeout(timer);
    opened = Date.now();
    heard = Math.min(heard, opened);
    const mine = (source = new EventSource(url + "&changes=1&seen=" + (guests() === undefined ? version() : "") + plain));
    // A long board is told as what stays of the one before it on this stream, and what is new.
    let told;
    const hearOf = (html) => {
      hear();
      show((told = html));
    };
    mine.onopen = () => (silent = "&plain=1");
    mine.addEventListener("beat", (event) => {
      hear();
      event.data > version() ? ask() : current();
    });
    mine.addEventListener("board", (event) => hearOf(event.data));
    mine.addEventListener("change", (event) => hearOf(JSON.parse(event.data).map((one) => (one.map ? told.slice(...one) : one)).join("")));
    // There is no room yet at this address; or there is none, and another one has to be fetched.
    mine.addEventListener("over", (event) => {
      asking = (url = event.data) ? "full" : "slow";
      silent = "";
    });
    mine.onerror = () => mine === source && again();
  };

  // The stream first: it brings the board, too, and costs the server next to nothing.
  const again = () => {
    source?.close();
    source = null;
    plain ||= silent;
    silent = "";
    clearTimeout(timer);
    timer = setTimeout(open, Math.random() * Math.min(5000, 1000 * 2 ** failures++));
    if (failures > 1) ask();
  };

  const ask = async (anyway) => {
    asked = Date.now();
    try {
      const address = boardUrl + "&seen=" + (anyway ? 0 : version()) + (guests() === undefined ? "" : "&guests=" + guests());
      // One that hangs holds up no later one: not in the browser's cache, nor for long on one of its few connections.
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (!isOurs(answer)) return;
      // 403, 404 or 410: the table, its seat or this version is no more. `hall/strip.js` may know where to go.
      if (answer.status > 402 && answer.status < 411) return window.leave?.(answer) ?? anew();
      if (!answer.ok) return;
      answered = Date.now();
      await show(await answer.text(), anyway);
    } catch {
      // the sign below tells
    }
  };

  // A stream that is silent for too long is dead, whatever the browser thinks of it; asking starts a little before.
  const look = () => {
    if (document.hidden) return;
    const quiet = since(Math.max(heard, opened)) / (silent ? 5000 : patience);
    if (quiet > 0.7 && since(asked) > 3000) ask();
    if (source && quiet > 0.9) again();
    if (source && heard > opened) return say("live");
    if (since(heard) > 2500) say(since(answered) < 4500 ? asking : "off");
  };

  const wake = () => document.hidden || open();

  document.addEventListener("table:stale", () => ask(true));
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("pagehide", () => source?.close());
  setInterval(look, 500);
  open();
})();
