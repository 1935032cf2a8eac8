/* The button under a finger may have become another action: it rests until its user can look again. */
(() => {
  const next = () => document.querySelector(".next");
  const action = () => next()?.querySelector(".main")?.value;
  let offered = action();
  document.addEventListener("watch:shown", () => {
    const fresh = next();
    if (fresh && offered !== action()) {
      fresh.inert = true;
      setTimeout(() => (fresh.inert = false), 300);
    }
    offered = action();
  });
})();
