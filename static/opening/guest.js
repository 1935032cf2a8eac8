/* A guest waiting for a seat moves on once they are let in: the table's stream says when to look,
   and without a stream the page looks every second. */
(() => {
  const waiting = document.querySelector("[data-waiting]");
  if (!waiting) return;
  const stream = new EventSource(waiting.dataset.waiting);
  let looking = false;

  const look = async () => {
    if (looking || document.hidden) return;
    looking = true;
    try {
      const answer = await fetch(location.href, { signal: AbortSignal.timeout(4000) });
      // If a proxy answers that the table is away, the waiting page stays.
      if (!answer.headers.has("cross-origin-resource-policy")) throw answer;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const form = page.querySelector("form[data-granted]");
      if (form) return document.body.appendChild(form).submit();
      if (!page.querySelector("[data-waiting]")) location.reload();
    } catch {
      // out of reach for now
    }
    looking = false;
  };

  stream.addEventListener("board", look);
  setInterval(() => stream.readyState === EventSource.OPEN || look(), 1000);
  setInterval(look, 5000);
  document.addEventListener("visibilitychange", look);
})();
