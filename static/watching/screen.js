/* A television turns its sheets by itself, in their order. On a device in the hand, where close.css lets them
   flow, all of them stay, and nothing moves while somebody reads. */
(() => {
  const screen = document.getElementById("screen");
  if (!screen) return;
  const dots = screen.querySelector(".dots");
  const sheets = () => [...screen.querySelectorAll("[data-sheet]")];
  const flows = () => getComputedStyle(screen).getPropertyValue("--flows") === "1";
  const show = () => {
    const all = sheets();
    const together = flows();
    const at = Math.max(0, all.findIndex((sheet) => sheet.dataset.sheet === screen.dataset.at));
    all.forEach((sheet, number) => (sheet.hidden = number !== at && !together));
    screen.dataset.at = all[at]?.dataset.sheet ?? "";
    while (dots.children.length > all.length) dots.lastChild.remove();
    while (dots.children.length < all.length) dots.append(document.createElement("li"));
    [...dots.children].forEach((dot, number) => (dot.className = number === at ? "here" : ""));
    screen.dispatchEvent(new Event("screen:shown"));
    return [all, at];
  };
  const turn = () => {
    const [all, at] = show();
    if (flows()) return;
    const next = all[(at + 1) % all.length];
    next.classList.toggle("turned", all.length > 1);
    screen.dataset.at = next.dataset.sheet;
    show();
  };
  document.addEventListener("watch:shown", show);
  addEventListener("resize", show);
  // A tap means that somebody is reading: the next sheet comes at once and stays for a minute.
  let held = 0;
  screen.addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    held = performance.now() + 60000;
    turn();
  });
  // How long a sheet stays: as the address says, or as the page does, which has more or fewer of them by now.
  const asked = Number(new URLSearchParams(location.search).get("turn"));
  const seconds = () =>
    asked >= 3 && asked <= 600 ? asked : Number(document.getElementById("region")?.dataset.seconds) || 15;
  const go = () => {
    if (performance.now() > held) turn();
    setTimeout(go, 1000 * seconds());
  };
  setTimeout(go, 1000 * seconds());
  show();
})();
