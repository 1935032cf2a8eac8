/* How a page keeps itself current: a stream while it lasts, asking every few seconds while there is none, and an
   honest word about which of the two it is. The page says where its news comes from, and shows it. Watchers may be
   thousands: their pages take twice as long (`pace` 2) for whatever costs the server something. */
(() => {
  // A signal that gives a request up. `AbortSignal.timeout` would do, but phones of 2015 to 2017 stay without it.
  window.after = (milliseconds) => {
    const control = new AbortController();
    setTimeout(() => control.abort(), milliseconds);
    return control.signal;
  };
  // A venue's log-in page or a proxy on the way may answer too, and knows nothing about the table.
  window.isOurs = (answer) => answer?.headers.has("cross-origin-resource-policy");
  // Null if nothing answers. A hanging request must not hold up later ones: not in the browser's cache, nor long on
  // a scarce connection. Only the request itself may fail in silence: elsewhere an error is no missing network.
  window.get = (url, headers) => fetch(url, { cache: "no-store", headers, signal: after(8000) }).catch(() => null);
  // Only what has changed is written: the rest needs no repainting.
  window.write = (node, text) => node.textContent === text || (node.textContent = text);
  window.span = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  // If the clock is set back, past moments lie ahead.
  window.since = (moment) => Math.abs(Date.now() - moment);

  // The name of this tab: what the answer to one of its taps shows, its stream need not.
  window.tab = Math.random().toString(36).slice(2);

  window.follow = ({ sign, seen, news, show, gone, pace, ...page }) => {
    const labels = sign.dataset;
    const { stream, patience } = labels;
    let url = stream;
    let source;
    // A compressed stream that opens and stays silent was spoilt on its way: the next one is asked for plain.
    let silent = "";
    let plain = "";
    let opened = 0;
    let asked = Date.now();
    let heard = stream ? asked : 0;
    let answered = stream ? 0 : asked;
    let asking = "slow";
    let failures = 0;
    let timer;

    const say = (state) => {
      if (labels.link === state) return;
      labels.link = state;
      sign.textContent = labels[state];
    };
    // 403, 404 or 410: the table, its seat or this version no longer exists.
    const isGone = (answer) => isOurs(answer) && answer.status > 402 && answer.status < 411;
    const rest = () => {
      source?.close();
      source = null;
      timer = clearTimeout(timer);
    };
    const open = async () => {
      rest();
      // If the address does not come, ask again; if it comes too late, it opens no second stream.
      const turn = (timer = setTimeout(again, 8000));
      if (!url) {
        const answer = await get(labels.source);
        if (isGone(answer)) await gone(answer);
        else url = (await answer?.json().catch(() => null))?.url;
      }
      if (turn !== timer) return;
      if (!url) return again();
      clearTimeout(timer);
      opened = Date.now();
      heard = Math.min(heard, opened);
      const mine = (source = new EventSource(url + "&changes=1&tab=" + tab + "&seen=" + seen() + plain));
      const on = (name, act) => mine.addEventListener(name, ({ data }) => {
        if (name !== "over") {
          heard = Date.now();
          failures = 0;
          asking = "slow";
          say("live");
        }
        silent = "";
        act(data);
      });
      // A long board comes as changes: ranges kept from the last board on this stream, and new text.
      let last;
      const draw = (html) => show((last = html));
      mine.onopen = () => (silent = "&plain=1");
      on("beat", (version) => page.beat(version, ask));
      on("board", draw);
      on("change", (changes) => draw(JSON.parse(changes).map((one) => (one.map ? last.slice(...one) : one)).join("")));
      // Either this address has no room yet, or it is over and a new one has to be fetched.
      on("over", (data) => (asking = (url = data) && labels.full ? "full" : "slow"));
      mine.onerror = () => mine === source && again();
    };

    // The stream comes first: it brings the board, too, and costs the server next to nothing.
    const again = () => {
      rest();
      if (pace > 1) url = "";
      plain = plain || silent;
      silent = "";
      timer = setTimeout(open, Math.random() * Math.min(10000 * pace - 5000, 1000 * 2 ** failures++));
      if (failures > 1) ask();
    };

    const ask = async (anyway) => {
      if (since(asked) < 2000 * pace - 2000) return;
      asked = Date.now();
      const answer = await get(news(anyway));
      if (isGone(answer)) return gone(answer);
      if (!isOurs(answer) || !answer.ok) return;
      answered = Date.now();
      page.heed?.(answer);
      await show(await answer.text().catch(() => ""), anyway);
    };

    // A stream that is silent for too long is dead, whatever the browser thinks; asking starts a little earlier.
    const look = () => {
      if (document.hidden) return;
      const quiet = since(Math.max(opened, heard)) / (silent ? 5000 : patience);
      if ((quiet > 0.7 || failures > 1 || page.isSet?.()) && since(asked) > 2000 + 1000 * pace) ask();
      if (source && quiet > 0.9) again();
      if (source && heard > opened) return say("live");
      if (since(heard) > 2500 * pace) say(since(answered) < 4500 * pace ? asking : "off");
    };

    // Without encryption a browser keeps six connections, and tabs out of sight would use them up.
    const wake = () => (document.hidden ? (page.rests?.() ?? true) && rest() : stream && open());

    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    addEventListener("pageshow", (event) => event.persisted && wake());
    addEventListener("pagehide", rest);
    setInterval(look, 500);
    if (stream) open();
    return ask;
  };
})();
