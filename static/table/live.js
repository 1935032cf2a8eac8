/* News of the table: a stream while it lasts, asking every few seconds while there is none,
   and an honest word about which of the two it is. */
(() => {
  const live = document.getElementById("live");
  const sign = document.getElementById("link");
  if (!live || !window.htmx) return;
  const { stream, streamSource, board, patience } = live.dataset;
  const shown = () => document.getElementById("board").dataset;
  const version = () => Number(shown().version);
  // A request for a seat makes no new version: while a seat is open, boards are also told apart by this.
  const guests = () => shown().guests;
  // If the clock is set back, past moments lie ahead.
  const since = (moment) => Math.abs(Date.now() - moment);
  let url = stream;
  let source = null;
  // A compressed stream that opens and stays silent was spoilt on its way: the next one is asked for plain.
  let silent = "";
  let plain = "";
  let opened = 0;
  let heard = Date.now();
  let answered = 0;
  let asked = Date.now();
  let asking = "slow";
  let failures = 0;
  let timer;

  const say = (state) => {
    if (sign.dataset.link === state) return;
    sign.dataset.link = state;
    sign.textContent = sign.dataset[state];
  };

  // The newest known board is shown.
  const current = () => document.dispatchEvent(new Event("table:heard"));

  const show = async (html, anyway) => {
    const found = / data-version="(\d+)"(?: data-guests="([\d.]*)")?/.exec(html);
    const later = found?.[1] - version();
    // An older board came late, or from a backup: the server knows which.
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
  // While two programs answer in turn, a page must not reload in a tight loop.
  const reloadLater = () => setTimeout(() => location.reload(), 3000 - performance.now());
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
        const answer = await fetch(streamSource, { signal: AbortSignal.timeout(8000) });
        if (answer.status === 410 && isOurs(answer)) return reloadLater();
        url = (await answer.json()).url;
      }
    } catch {
      return turn === timer && again();
    }
    if (turn !== timer) return;
    clearTimeout(timer);
    opened = Date.now();
    heard = Math.min(heard, opened);
    const mine = (source = new EventSource(url + "&changes=1&seen=" + (guests() == null ? version() : "") + plain));
    // A long board comes as changes: ranges kept from the last board on this stream, and new text.
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
    // Either this address has no room yet, or it is over and a new one has to be fetched.
    mine.addEventListener("over", (event) => {
      asking = (url = event.data) ? "full" : "slow";
      silent = "";
    });
    mine.onerror = () => mine === source && again();
  };

  // The stream comes first: it brings the board, too, and costs the server next to nothing.
  const again = () => {
    rest();
    plain ||= silent;
    silent = "";
    timer = setTimeout(open, Math.random() * Math.min(5000, 1000 * 2 ** failures++));
    if (failures > 1) ask();
  };

  const ask = async (anyway) => {
    asked = Date.now();
    try {
      const address = board + "&seen=" + (anyway ? 0 : version()) + (guests() == null ? "" : "&guests=" + guests());
      // A hanging request must not hold up later ones: not in the browser's cache, nor long on a scarce connection.
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (!isOurs(answer)) return;
      // 403, 404 or 410: the table, its seat or this version no longer exists. `hall/strip.js` may know where to go.
      if (answer.status > 402 && answer.status < 411) return window.leave?.(answer) ?? reloadLater();
      if (!answer.ok) return;
      answered = Date.now();
      await show(await answer.text(), anyway);
    } catch {
      // the sign below says so
    }
  };

  // A stream that is silent for too long is dead, whatever the browser thinks; asking starts a little earlier.
  const look = () => {
    if (document.hidden) return;
    const quiet = since(Math.max(heard, opened)) / (silent ? 5000 : patience);
    if ((quiet > 0.7 || failures > 1) && since(asked) > 3000) ask();
    if (source && quiet > 0.9) again();
    if (source && heard > opened) return say("live");
    if (since(heard) > 2500) say(since(answered) < 4500 ? asking : "off");
  };

  // Without encryption a browser keeps six connections, and tabs out of sight would use them up. But a player
  // may be called to the table.
  const wake = () => (document.hidden ? /over|watch/.test(shown().state) && rest() : open());

  document.addEventListener("table:stale", () => ask(true));
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("pagehide", rest);
  setInterval(look, 500);
  open();
})();
