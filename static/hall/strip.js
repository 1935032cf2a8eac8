/* The page of an event's table: the way back to the event, the hall's clock, and the newest announcement. */
(() => {
  const host = document.querySelector("header.site");
  if (!host) return;
  const strip = () => document.getElementById("strip");
  const read = "read " + location.pathname;
  // If nothing may be stored, it is remembered while the page lasts.
  let closed = {};
  try {
    closed = sessionStorage ?? closed;
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
    event?.click();
    return event;
  };
  // The event was deleted: its table stays, as any other.
  const stop = () => {
    clearInterval(timer);
    strip()?.remove();
  };
  const ask = async () => {
    if (document.hidden) return;
    try {
      const address = `${location.pathname}event?seen=${strip()?.dataset.version ?? ""}`;
      // A request that hangs takes one of the browser's few connections, which taps need.
      const answer = await fetch(address, { signal: AbortSignal.timeout(8000) });
      if (answer.status === 410) stop();
      if (answer.status !== 200) return;
      const made = document.createElement("template");
      made.innerHTML = (await answer.text()).trim();
      const fresh = made.content.firstElementChild;
      if (fresh?.id !== "strip") return;
      strip()?.remove();
      host.after(fresh);
      hide();
      document.dispatchEvent(new Event("strip:shown"));
    } catch {
      // the table's own sign says that the network is gone
    }
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-read]")) return;
    closed[read] = event.target.closest(".last").dataset.said;
    hide();
  });
  document.addEventListener("visibilitychange", ask);
  const timer = setInterval(ask, 10000);
  ask();
})();
