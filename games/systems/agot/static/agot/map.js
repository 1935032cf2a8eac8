/* Zooming the map: pinch, double tap, +, − and 0; a mouse drags, and a tap goes to the cell under it.
   The scale is kept outside the part that is morphed; moving around is plain scrolling. */
(() => {
  const live = document.getElementById("live");
  const at = (target) => target.closest?.("#atlas-view");
  let scale = 1;
  let fingers = 0;
  let drag = null;
  let moved = false;

  const zoom = (view, wanted, x, y) => {
    const box = view.getBoundingClientRect();
    const paper = view.firstElementChild;
    const before = paper.getBoundingClientRect();
    const [u, v] = [(x - before.left) / before.width, (y - before.top) / before.height];
    scale = Math.min(4, Math.max(.25, wanted));
    live.style.setProperty("--map-zoom", scale);
    const width = paper.offsetWidth;
    view.scrollTo(paper.offsetLeft + u * width - x + box.left, v * paper.offsetHeight - y + box.top);
  };
  const middle = (view, wanted) => {
    const box = view.getBoundingClientRect();
    zoom(view, wanted, box.left + box.width / 2, box.top + box.height / 2);
  };
  // The whole map above the bar: as wide as the height there allows.
  const whole = (view) => {
    view.parentElement.scrollIntoView();
    const { top } = view.getBoundingClientRect();
    const bar = document.querySelector(".bar").getBoundingClientRect().top;
    return Math.min(1, (((bar > top ? bar : innerHeight) - top - 8) * scale) / view.firstElementChild.offsetHeight);
  };
  const spread = ({ touches: [a, b] }) => ({
    wide: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
  });

  // Two fingers pinch; one scrolls as usual.
  document.addEventListener("touchmove", (event) => {
    const view = at(event.target);
    if (!view || event.touches.length !== 2) return void (fingers = 0);
    event.preventDefault();
    const { wide, x, y } = spread(event);
    if (fingers) zoom(view, (scale * wide) / fingers, x, y);
    fingers = wide;
  }, { passive: false });
  document.addEventListener("touchend", () => (fingers = 0));

  document.addEventListener("pointerdown", (event) => {
    moved = false;
    drag = event.pointerType === "mouse" && !event.button && at(event.target) ? event : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.clientX, event.clientY - drag.clientY) > 6) moved = true;
    if (moved) at(drag.target)?.scrollBy(-event.movementX, -event.movementY);
  });
  document.addEventListener("pointerup", () => (drag = null));
  document.addEventListener("dragstart", (event) => at(event.target) && event.preventDefault());
  document.addEventListener("dblclick", (event) => {
    const view = at(event.target);
    if (view && !event.target.closest("button")) zoom(view, scale > 1.5 ? 1 : 2.5, event.clientX, event.clientY);
  });

  document.addEventListener("keydown", (event) => {
    const view = at(event.target);
    const wanted = { "+": scale * 1.5, "=": scale * 1.5, "-": scale / 1.5, 0: 1 }[event.key];
    if (view && wanted && !event.ctrlKey && !event.metaKey) middle(view, wanted);
  });

  // When the area being acted in changes, scroll it into view.
  let acted = "";
  const follow = () => {
    const area = document.querySelector(".pieces .from");
    const key = area?.getAttribute("href") ?? area?.getAttribute("cx") ?? "";
    if (key && key !== acted) {
      area.scrollIntoView({ block: "center", inline: "center" });
      // Scroll what stands above the map out of the way.
      const around = area.closest(".middle");
      around.scrollTop = Math.max(around.scrollTop, document.getElementById("atlas-view").offsetTop);
    }
    acted = key;
  };
  document.addEventListener("board:drawn", follow);
  addEventListener("load", follow);

  document.addEventListener("click", (event) => {
    const part = event.target.closest?.(".zooms a");
    if (part) {
      event.preventDefault();
      const view = document.getElementById("atlas-view");
      const goal = document.querySelector(".paper > " + part.hash);
      middle(view, goal ? 2 : whole(view));
      if (goal) view.scrollTo({ left: goal.offsetLeft, top: goal.offsetTop, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
      return;
    }
    if (!at(event.target) || !event.detail) return;
    const cell = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".paper a")).find(Boolean);
    const meant = cell?.dataset.does && document.querySelector('[name="action"][value="' + cell.dataset.does + '"]');
    event.preventDefault();
    event.stopPropagation();
    if (moved || !cell) return;
    if (meant) return meant.click();
    // A cell without an answer says what is there, or why nobody may go there; another tap opens its card.
    const told = document.querySelector(".told");
    told.innerHTML = "<a></a>";
    told.firstChild.href = cell.getAttribute("href");
    told.firstChild.textContent = cell.getAttribute("aria-label");
  }, true);
})();
