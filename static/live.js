/* News of the table: a stream while it lasts, asking every few seconds while it does not,
   and an honest word about which of them it is. */
(() => {
  const live = document.getElementById("live");
  const sign = document.getElementById("link");
  if (!live || !window.htmx) return;
  const { stream: firstUrl, streamSource, board: boardUrl, patience } = live.dataset;
  const shown = () => document.getElementById("board").dataset;
  const version = () => Number(shown().version);
  // Who asks for a seat is no new version: where one is open, boards are told apart by this, too.
  const guests = () => shown().guests;
  const since = (moment) => Date.now() - moment;
  let source = null;
  let opened = 0;
  let heard = Date.now();
  let answered = 0;
  let asked = Date.now();
  let failures = 0;
  let timer = 0;

  const say = (state) => {
    if (sign.dataset.link === state) return;
    sign.dataset.link = state;
    sign.textContent = sign.dataset[state];
  };

  const show = async (html, anyway) => {
    const found = / data-version="(\d+)"(?: data-guests="([\d.]*)")?/.exec(html);
    if (!found || Number(found[1]) < version()) return;
    if (Number(found[1]) === version() && found[2] === guests() && !anyway) return;
    await htmx.swap({ text: html.trim(), target: "#board", swap: "outerMorph" });
  };

  const hear = () => {
    heard = Date.now();
    failures = 0;
    say("live");
  };
  // The newest board that is known of is shown.
  const current = () => document.dispatchEvent(new Event("table:heard"));

  const open = async (url) => {
    clearTimeout(timer);
    timer = 0;
    source?.close();
    source = null;
    try {
      if (!url) {
        const answer = await fetch(streamSource);
        if (answer.status === 410) return location.reload();
        url = (await answer.json()).url;
      }
    } catch {
      return again();
    }
    opened = Date.now();
    const mine = (source = new EventSource(url + (url.includes("?") ? "&" : "?") + "seen=" + (guests() === undefined ? version() : "")));
    mine.onopen = hear;
    mine.addEventListener("beat", (event) => {
      hear();
      Number(event.data) > version() ? ask() : current();
    });
    mine.addEventListener("board", async (event) => {
      hear();
      await show(event.data);
      current();
    });
    mine.onerror = () => {
      mine.close();
      if (mine === source) again();
    };
  };

  const again = () => {
    source = null;
    if (timer) return;
    const wait = Math.min(8000, 500 * 2 ** failures++) * (0.5 + Math.random());
    timer = setTimeout(open, wait);
  };

  const ask = async (anyway) => {
    asked = Date.now();
    try {
      const answer = await fetch(boardUrl + (boardUrl.includes("?") ? "&" : "?") + "seen=" + (anyway ? 0 : version()) + (guests() === undefined ? "" : "&guests=" + guests()), { headers: { "HX-Request": "true" } });
      if ([403, 404, 410].includes(answer.status)) return location.reload();
      if (!answer.ok) return;
      answered = Date.now();
      if (answer.status === 200) await show(await answer.text(), anyway);
      current();
    } catch {
      // the sign below tells
    }
  };

  // A stream that is silent for too long is dead, whatever the browser thinks of it; asking starts a little before.
  const look = () => {
    if (document.hidden) return;
    const quiet = since(Math.max(heard, opened)) / patience;
    if ((!source || quiet > 0.7) && since(asked) > 3000) ask();
    if (source && quiet > 0.9) {
      source.close();
      again();
    }
    if (source && heard >= opened) return say("live");
    if (since(heard) > 2500) say(since(answered) < 4500 ? "slow" : "off");
  };

  const wake = () => {
    if (document.hidden) return;
    ask();
    if (!source || since(heard) > patience) open();
  };

  document.addEventListener("table:stale", () => ask(true));
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("pagehide", () => {
    source?.close();
    source = null;
  });
  setInterval(look, 500);
  open(firstUrl);
})();
