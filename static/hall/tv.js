/* A television's names are read whole: one that is wider than its place, or has more lines, is written smaller step
   by step. A sheet is measured when it is shown. */
(() => {
  const screen = document.getElementById("screen");
  const tooLarge = (name, row) =>
    name.scrollWidth > name.clientWidth + 1 ||
    row.scrollHeight > row.clientHeight + parseFloat(getComputedStyle(name).fontSize) / 4;
  const fit = () => {
    const flows = getComputedStyle(screen).getPropertyValue("--flows") === "1";
    const names = screen.querySelectorAll(".sheet:not([hidden]) :is(.name, .places tbody th), .tally .name");
    // The longest first: the others of its row may then have room.
    for (const name of [...names].sort((one, other) => other.textContent.length - one.textContent.length)) {
      const row = name.closest("li, tr, .who");
      delete name.dataset.fit;
      for (let step = 1; step <= 3 && row && !flows && tooLarge(name, row); step++) name.dataset.fit = step;
    }
  };
  screen.addEventListener("screen:shown", fit);
  document.fonts?.ready.then(fit);
  fit();
})();
