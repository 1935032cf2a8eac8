/* With encryption the program is kept on the phone; without it, anything kept before is deleted. */
const keep = async ({ worker }) => {
  const workers = navigator.serviceWorker;
  if (worker) return workers?.register(worker);
  for (const old of (await workers?.getRegistrations()) ?? []) {
    if (old.active?.scriptURL.endsWith("/worker.js")) await old.unregister();
  }
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (name.startsWith("roundtable-")) await caches.delete(name);
  }
};
// Where nothing may be stored, nothing is kept.
keep(document.currentScript.dataset).catch(() => {});

/* A script lost on its way is asked for until it comes: without it a page would silently fall behind. */
addEventListener("error", ({ target }) => {
  if (target.localName !== "script") return;
  // A script that something on this device blocks is no reason to reload again and again.
  const isAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";
  setInterval(async () => {
    const answer = await fetch(target.src).catch(() => null);
    if (answer?.ok && /javascript/.test(answer.headers.get("content-type"))) location.reload();
  }, isAgain ? 15000 : 3000);
}, true);
