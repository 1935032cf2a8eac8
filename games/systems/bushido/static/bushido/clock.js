/* Clocks run on between two boards: from the server's figure, by this phone's own clock. */
(() => {
  let seen = "";
  let began = 0;
  const written = (left) => {
    const whole = Math.abs(Math.trunc(left));
    return `${left <= -1 ? "\u2212" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };
  const tick = () => {
    const board = document.getElementById("board");
    if (!board) return;
    if (board.dataset.version !== seen) {
      seen = board.dataset.version;
      began = performance.now();
    }
    const gone = (performance.now() - began) / 1000;
    for (const clock of board.querySelectorAll("[data-runs]")) {
      const left = Number(clock.dataset.clock) - gone;
      clock.textContent = written(left);
      clock.parentNode.classList.toggle("bad", left < 1);
    }
  };
  setInterval(tick, 500);
  tick();
})();
