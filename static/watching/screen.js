/* A television turns its sheets by itself, in the order in which they stand. */
(() => {
  const screen = document.getElementById("screen");
  if (!screen) return;
  const dots = screen.querySelector(".dots");
  const sheets = () => [...screen.querySelectorAll("[data-sheet]")];
  const show = () => {
    const all = sheets();
    const at = Math.max(0, all.findIndex((sheet) => sheet.dataset.sheet === screen.dataset.at));
    all.forEach((sheet, number) => (sheet.hidden = number !== at));
    screen.dataset.at = all[at]?.dataset.sheet ?? "";
    while (dots.children.length > all.length) dots.lastChild.remove();
    while (dots.children.length < all.length) dots.append(document.createElement("li"));
    [...dots.children].forEach((dot, number) => (dot.className = number === at ? "here" : ""));
    return [all, at];
  };
  const turn = () => {
    const [all, at] = show();
    const next = all[(at + 1) % all.length];
    next.classList.toggle("turned", all.length > 1);
    screen.dataset.at = next.dataset.sheet;
    show();
  };
  document.addEventListener("watch:shown", show);
  const seconds = Number(new URLSearchParams(location.search).get("turn"));
  setInterval(turn, 1000 * (seconds >= 3 && seconds <= 600 ? seconds : 15));
  show();
})();
