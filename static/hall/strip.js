/* The page of an event's table: the way back to the event, the hall's clock, and what was said last. */
(() => {
  const host = document.querySelector("header.site");
  if (!host) return;
  const strip = () => document.getElementById("strip");
  const read = "read " + location.pathname;
  const hide = () => {
    const last = strip()?.querySelector(".last");
    if (last) last.hidden = sessionStorage.getItem(read) === strip().dataset.number;
  };
  // A table that is no more leaves its players to their event, which has another one for them.
  window.leave = ({ status }) => {
    const event = status === 404 ? strip()?.querySelector("a") : null;
    event?.click();
    return event;
  };
  const ask = async () => {
    if (document.hidden) return;
    try {
      const address = `${location.pathname}event?seen=${strip()?.dataset.version ?? ""}`;
      // One that hangs takes a connection, of which a browser has few: taps need them.
      const answer = await fetch(address, { signal: AbortSignal.timeout(8000) });
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
      // the table's own sign says that the net is gone
    }
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-read]")) return;
    sessionStorage.setItem(read, strip().dataset.number);
    hide();
  });
  document.addEventListener("visibilitychange", ask);
  setInterval(ask, 10000);
  ask();
})();
