/* Clocks run on between two boards: from the server's figure, by this phone's own clock. */
(() => {
  let seen = "";
  let began = 0;
  let apart = 0;
  const written = (left) => {
    const whole = Math.abs(Math.trunc(left));
    return `${left <= -1 ? "\u2212" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };
  const tick = () => {
    const board = document.getElementById("board");
    if (!board) return;
    const clocks = [...board.querySelectorAll("[data-runs]")];
    // A board may come again with newer figures, as when a guest asks for a seat.
    const shown = [board.dataset.version, ...clocks.map((clock) => clock.dataset.clock)].join(" ");
    if (shown !== seen) {
      seen = shown;
      began = performance.now();
      apart = Date.now() - began;
    }
    // The one stands still while some phones sleep, the other is wrong once a phone's time is set back.
    const gone = (Math.max(performance.now(), Date.now() - apart) - began) / 1000;
    for (const clock of clocks) {
      const left = Number(clock.dataset.clock) - gone;
      clock.textContent = written(left);
      clock.parentNode.classList.toggle("bad", left < 1);
    }
  };
  setInterval(tick, 500);
  tick();
})();
