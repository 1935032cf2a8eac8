/* Every choice is shown at once; the address is copied by a tap. */
(() => {
  const form = document.getElementById("build");
  const made = () => document.getElementById("made");
  let timer = 0;
  let asked = 0;

  const show = async () => {
    const mine = ++asked;
    const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const answer = await fetch(url).catch(() => null);
    if (!answer?.ok || mine !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("made");
    if (!fresh || mine !== asked) return;
    made().replaceWith(fresh);
    history.replaceState(null, "", url);
    ready();
  };

  const ready = () => {
    const button = made().querySelector("[data-copy]");
    const address = document.getElementById("address");
    button.hidden = false;
    button.onclick = async () => {
      address.select();
      try {
        await navigator.clipboard.writeText(address.value);
      } catch {
        document.execCommand("copy");
      }
      button.textContent = button.dataset.copy;
    };
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 250);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  ready();
})();
