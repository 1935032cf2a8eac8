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
    const answer = await get(page);
    // If nothing answers, or a proxy says that the table is away, the waiting page stays.
    const text = isOurs(answer) && (await answer.text().catch(() => ""));
    looking = false;
    if (!text) return;
    const shown = new DOMParser().parseFromString(text, "text/html");
    const form = shown.querySelector("form[data-granted]");
    looking = Boolean(form);
    if (form) document.body.appendChild(form).submit();
    else if (!shown.querySelector("[data-waiting]")) location.assign(page);
  };

  if (stream) {
    stream.addEventListener("board", look);
    setInterval(() => stream.readyState === EventSource.OPEN || look(), 1000);
  }
  setInterval(look, 5000);
  document.addEventListener("visibilitychange", look);
})();
