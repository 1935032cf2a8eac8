/* The page of an event's table: the way back to the event, the hall's clock, and the newest announcement. */
(() => {
  const host = document.querySelector("header.site");
  if (!host) return;
  const strip = () => document.getElementById("strip");
  const read = `read ${location.pathname}`;
  const stamp = strip()?.dataset.now;
  if (stamp) window.ahead ??= Date.now() - 1000 * stamp;
  // If nothing may be stored, it is remembered while the page lasts.
  let closed;
  try {
    closed = sessionStorage;
    closed[read] ??= "";
  } catch {
    closed = {};
  }
  const hide = () => {
    const last = strip()?.querySelector(".last");
    if (last) last.hidden = closed[read] === last.dataset.said;
  };
  // A table that no longer exists sends its players back to their event, which has another one for them.
  window.leave = ({ status }) => {
    const event = status === 404 ? strip()?.querySelector("a") : null;
    if (event) event.hash = "sit";
    event?.click();
    return event;
  };
  const ask = async () => {
    if (document.hidden) return;
    const answer = await get(`${location.pathname}event?seen=${strip()?.dataset.version ?? ""}`);
    // The table's own sign says that the network is gone.
    if (!answer) return;
    // When the clock of this device, or of the server, has been set: `hall/hall.js` counts on.
    const ahead = Date.now() - Date.parse(answer.headers.get("date"));
    if (isOurs(answer) && !(Math.abs(ahead - window.ahead) < 3000)) window.ahead = ahead;
    // The event was deleted: its table stays, as any other.
    if (answer.status === 410) clearInterval(timer), strip()?.remove();
    if (answer.status !== 200) return;
    const text = await answer.text().catch(() => "");
    if (!/^\s*<aside id="strip"/.test(text)) return;
    const before = strip();
    before?.remove();
    host.insertAdjacentHTML("afterend", text);
    hide();
    // The table was moved while this page was open, or its players sit elsewhere now.
    const { leads } = strip().dataset;
    if (before && leads && !before.dataset.leads) return location.assign(leads);
    const [was, is] = [before, strip()].map((one) => one?.querySelector("b")?.textContent);
    if (was && was !== is) {
      document.getElementById("said")?.replaceChildren(is);
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([200, 100, 200]);
    }
    document.dispatchEvent(new Event("strip:shown"));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-read]");
    if (!button) return;
    closed[read] = button.parentElement.dataset.said;
    hide();
  });
  document.addEventListener("visibilitychange", ask);
  const timer = setInterval(ask, 10000);
  ask();
})();
