/* The recap plays by itself, one round after the other. A tap or an arrow key steps; where motion is not wanted it
   waits for those. Without this script the rounds stand in a list. */
(() => {
  const root = document.documentElement;
  const stage = document.getElementById("recap");
  const scenes = [...stage.children];
  const course = document.querySelector(".course");
  const said = document.getElementById("said");
  const ways = document.querySelector(".recap-ways");
  const pause = (1000 * stage.dataset.seconds) / scenes.length;
  let at = 0;
  let timer;

  const show = (number, runs) => {
    at = Math.max(0, Math.min(number, scenes.length - 1));
    scenes.forEach((scene, n) => scene.classList.toggle("now", n === at));
    if (course) course.style.clipPath = `inset(-1rem ${100 - scenes[at].dataset.at}% -1rem 0)`;
    clearTimeout(timer);
    const goes = runs && at < scenes.length - 1;
    root.classList.toggle("runs", goes);
    if (goes) timer = setTimeout(show, pause, at + 1, true);
    // Played, it would be read out faster than anybody can listen.
    if (!runs) said.textContent = scenes[at].textContent.replace(/\s+/g, " ");
  };
  const runs = () => root.classList.contains("runs");
  const play = () => (runs() ? show(at, false) : show(at === scenes.length - 1 ? 0 : at, true));

  root.classList.add("js");
  ways.hidden = false;
  document.addEventListener("click", ({ target }) => {
    const step = target.closest("[data-step]")?.dataset.step;
    if (step === "0") play();
    else if (step) show(at + Number(step), false);
    else if (target.closest("#recap") && !target.closest("a")) show(at + 1, runs());
  });
  document.addEventListener("keydown", ({ key, target }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step && !target.matches("input, textarea, select")) show(at + step, false);
  });
  document.addEventListener("visibilitychange", () => document.hidden && runs() && show(at, false));
  show(0, !matchMedia("(prefers-reduced-motion: reduce)").matches);
  if (!runs()) said.textContent = "";
})();
