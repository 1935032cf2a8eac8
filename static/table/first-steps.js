// First steps: bring the next control into sight, also from the other player's side.

(() => {
  const live = document.getElementById("live");
  let shown = "";

  function show() {
    const control = live.querySelector(".hinted");
    const version = document.getElementById("board")?.dataset.version;
    if (!control || version === shown) return;
    shown = version;
    const fold = control.closest("details:not([open])");
    const block = control.closest(".bar") ? "nearest" : "center";
    (fold ? fold.firstElementChild : control).scrollIntoView({ block, inline: "center" });
  }

  new MutationObserver(() => requestAnimationFrame(show)).observe(live, {
    attributeFilter: ["data-version"],
    childList: true,
    subtree: true,
  });
  // Opening the fold that is pointed at may push its content out of sight.
  const opened = ({ target }) => target.open && target.querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
  live.addEventListener("toggle", opened, true);
  show();
})();
