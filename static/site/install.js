/* Where there is encryption the program is kept on the phone; where there is none, what was kept once goes. */
(async ({ worker }) => {
  const workers = navigator.serviceWorker;
  if (worker) return workers?.register(worker);
  for (const old of (await workers?.getRegistrations()) ?? []) {
    if (old.active?.scriptURL.endsWith("/worker.js")) await old.unregister();
  }
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (name.startsWith("roundtable-")) await caches.delete(name);
  }
})(document.currentScript.dataset);

/* A script that is lost on its way is asked for until it comes: without it a page would fall behind in silence. */
addEventListener("error", ({ target }) => {
  if (target.localName !== "script") return;
  // One that something on this device blocks is no reason to begin again and again.
  const isAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";
  setInterval(async () => {
    const answer = await fetch(target.src).catch(() => null);
    if (answer?.ok && /javascript/.test(answer.headers.get("content-type"))) location.reload();
  }, isAgain ? 15000 : 3000);
}, true);
