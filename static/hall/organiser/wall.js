/* A wall that is longer than its screen goes on by a screenful every ten seconds, unless somebody is reading it. */
(() => {
  let touched = -Infinity;
  for (const what of ["pointermove", "pointerdown", "keydown", "wheel"]) {
    addEventListener(what, () => (touched = performance.now()), { passive: true });
  }
  setInterval(() => {
    const page = document.documentElement;
    if (performance.now() - touched < 60000 || innerWidth < 960) return;
    const isAtEnd = scrollY + innerHeight >= page.scrollHeight - 4;
    scrollTo(0, isAtEnd ? 0 : scrollY + 0.9 * innerHeight);
  }, 10000);
})();
