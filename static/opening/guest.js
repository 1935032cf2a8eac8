/* A guest waiting for a seat moves on once they are let in: the table's stream says when to look,
   and without a stream the page looks every second. For a guest who watches meanwhile it looks every five seconds. */
(() => {
  const waiting = document.querySelector("[data-waiting]");
  if (!waiting) return;
  const page = waiting.dataset.page ?? location.href;
  const stream = waiting.dataset.waiting && new EventSource(waiting.dataset.waiting);
  let looking = false;

  const look = async () => {
    if (looking || document.hidden) return;
    looking = true;
    try {
      const answer = await fetch(page, { signal: AbortSignal.timeout(4000) });
      // If a proxy answers that the table is away, the waiting page stays.
      if (!answer.headers.has("cross-origin-resource-policy")) throw answer;
      const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
      const form = shown.querySelector("form[data-granted]");
      if (form) return document.body.appendChild(form).submit();
      if (!shown.querySelector("[data-waiting]")) location.assign(page);
    } catch {
      // out of reach for now
    }
    looking = false;
  };

  if (stream) {
    stream.addEventListener("board", look);
    setInterval(() => stream.readyState === EventSource.OPEN || look(), 1000);
  }
  setInterval(look, 5000);
  document.addEventListener("visibilitychange", look);
})();
