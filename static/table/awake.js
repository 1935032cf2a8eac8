/* The screen stays on during a match if the phone allows it; the switch in the menu shows whether it does.
   No video stands in for a wake lock: phones sleep through a muted one, and sound would stop their music. */
(() => {
  const button = document.getElementById("awake");
  if (!button) return;
  const said = button.querySelector("small");
  const over = () => document.querySelector("#board[data-state='over']");
  let wanted = memory.awake !== "no";
  let refused = !navigator.wakeLock;
  let asking = false;
  let lock = null;

  const show = () => {
    button.setAttribute("aria-checked", Boolean(lock));
    said.textContent = button.dataset[lock ? "on" : refused ? "never" : "off"];
  };

  const hold = async () => {
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.onrelease = () => {
        lock = null;
        show();
      };
      refused = false;
    } catch {
      refused = navigator.userActivation.hasBeenActive;
    }
    asking = false;
  };

  const follow = async () => {
    if (asking) return;
    const due = wanted && !over();
    if (lock && !due) await lock.release();
    if (!lock && due && !document.hidden && navigator.wakeLock) await hold();
    show();
  };

  document.addEventListener("click", ({ target }) => {
    if (button.contains(target)) memory.awake = (wanted = !lock) ? "yes" : "no";
    follow();
  });
  document.addEventListener("visibilitychange", follow);
  document.addEventListener("htmx:after:swap", follow);

  button.disabled = refused;
  button.hidden = false;
  follow();
})();
