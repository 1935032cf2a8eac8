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
