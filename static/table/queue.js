/* Taps that could not be sent wait in sight, survive a reload, and go out in order once the table answers.
   Corrections add up, so all of them go; of several answers to a question only the last one goes, and the rest
   are explained. An answer may be sealed: all that is stored is that there was one. */
(() => {
  const find = (selector) => document.querySelector(selector);
  const aside = find("#unsent");
  if (!aside || !window.htmx) return;
  const news = new URL(find("#link").dataset.news, location.href);
  const seats = news.searchParams.get("seats").split(".");
  const shelf = "unsent " + news.pathname + " ";
  const sheet = find("#sheet");
  let waiting = [];
  let told = [];
  let flight = null;
  const unsure = [];

  // Each is stored by itself, as another tab of this table has its own. If storage fails they wait all the same.

  const store = (name, tap) => {
    try {
      if (!tap) delete localStorage[name], delete sessionStorage[name];
      else if (tap.form === "table") sessionStorage[name] = JSON.stringify({ form: tap.form, seat: tap.seat });
      else localStorage[name] = JSON.stringify(tap);
    } catch {
      // full, or forbidden
    }
  };
  const nameOf = ({ values }) => shelf + values.key;
  const forget = (tap) => store(nameOf(tap));

  // Shown: the waiting taps, then those that did not count, and why.

  const line = (tap) => {
    const item = document.createElement("li");
    item.append(tap.words);
    if (tap.why) item.append(document.createElement("br"), tap.why);
    return item;
  };
  const show = () => {
    const { one, many, none } = aside.dataset;
    const count = waiting.length;
    aside.hidden = !count && !told.length;
    find("#link").classList.toggle("waits", count > 0);
    aside.querySelector("b").textContent = count > 1 ? many.replace("#", count) : count ? one : none;
    const list = aside.querySelector("ul");
    list.textContent = "";
    list.append(...waiting.flatMap((tap) => [tap, ...tap.instead]).concat(told).map(line));
    for (const button of aside.querySelectorAll("button")) button.hidden = (button.dataset.unsent === "read") === count > 0;
    const place = sheet.open ? sheet : document.body;
    if (aside.parentElement !== place) place.append(aside);
  };
  const tell = (tap, why) => {
    told.push({ words: tap.words ?? aside.dataset.answer, why });
    show();
  };
  const named = (button) => {
    const group = button.closest("fieldset, .counter");
    const number = button.parentElement.querySelector(":scope > input")?.value;
    const face = (button.querySelector(".face > :first-child, * + .unseen") ?? button).cloneNode(true);
    for (const detail of face.querySelectorAll("small")) detail.remove();
    return [
      button.closest(".piece")?.querySelector("h2").textContent,
      group?.getAttribute("aria-label") ?? group?.querySelector("legend")?.firstChild.textContent,
      number ?? button.getAttribute("aria-label") ?? face.textContent,
    ].map((text) => text?.trim().replace(/\s+/g, " ")).filter(Boolean).join(" · ");
  };

  // A tap is named at once, as its button may be gone when its turn comes; it joins the line while others wait.

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.kept) ctx.words = named(ctx.request.submitter);
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (waiting.length && event.detail.ctx.kept) event.preventDefault();
  });

  document.addEventListener("tap:unsent", ({ detail: { form, values, words, why } }) => {
    delete values.csrfmiddlewaretoken;
    delete values.sheet;
    values.seat = values.seat ?? seats[0];
    const earlier = waiting.find((tap) => tap.form === form && form !== "adjust" && tap !== flight);
    waiting = waiting.filter((tap) => tap !== earlier);
    // Perhaps only its answer was lost: whether it is replaced is known once the later one is answered.
    const instead = earlier?.instead ?? [];
    if (earlier && earlier.words !== words) instead.push({ words: earlier.words, why: aside.dataset.replaced });
    const tap = { form, values, words, why, instead, seat: values.seat, at: Date.now() };
    if (earlier) forget(earlier);
    store(nameOf(tap), tap);
    waiting.push(tap);
    show();
  });

  document.addEventListener("tap:told", ({ detail }) => tell(detail, detail.why ?? aside.dataset.later));

  // A tap on its way is discarded only once it is known not to have arrived.

  const discard = (taps) => {
    for (const tap of taps) tap.gone = true;
    waiting = waiting.filter((tap) => tap === flight || !tap.gone);
    show();
  };

  // They go one after the other, until one gets no answer. Then the next beat sends them again: a board that was
  // asked for would do so at once, and storm a server that can be heard but cannot save.

  const send = async ({ form: id, values }) => {
    const form = document.getElementById(id);
    const body = new URLSearchParams({ ...values, waited: 1, csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
    const sent = { method: "POST", body, headers: { "HX-Request": "true" }, signal: after(8000) };
    const answer = await fetch(form.getAttribute("action"), sent).catch(() => null);
    // If something on the way answered, the tap has not reached the table.
    if (!isOurs(answer) || answer.status === 429 || answer.status >= 500) return null;
    // The seat is gone, or the page's token: the page that comes sends what is kept, or tells why it cannot.
    if (answer.status === 403) return location.reload(), null;
    if (answer.ok) return "";
    // The answers to one question share a key, and another of them arrived first.
    if (answer.status === 422 && id !== "adjust") return aside.dataset.counts;
    const page = new DOMParser().parseFromString(await answer.text().catch(() => ""), "text/html");
    return page.querySelector("[role=alert]")?.textContent.trim() || aside.dataset.moved;
  };
  const flush = async () => {
    if (flight || !waiting.length) return;
    try {
      while ((flight = waiting[0])) {
        const why = await send(flight);
        if (why === null) return;
        waiting = waiting.filter((tap) => tap !== flight);
        forget(flight);
        if (why !== aside.dataset.counts) told.push(...flight.instead);
        if (why) tell(flight, why);
        document.dispatchEvent(new CustomEvent("tap:answered", { detail: { form: flight.form, counts: !why } }));
      }
      document.dispatchEvent(new Event("table:stale"));
    } finally {
      flight = null;
      discard([]);
    }
  };

  // Of an answer from before a reload, only the table knows whether it arrived.
  const ask = () => unsure.splice(0).forEach(async ([name, tap]) => {
    const answer = await get(new URL(`arrived?seat=${tap.seat}&key=${name.slice(shelf.length)}`, news));
    const verdict = await answer?.json().catch(() => null);
    if (!verdict) return unsure.push([name, tap]);
    store(name);
    if (!verdict.arrived) tell(tap, aside.dataset.forgotten);
  });

  document.addEventListener("table:heard", flush);
  document.addEventListener("table:heard", ask);
  sheet.addEventListener("close", show);
  aside.addEventListener("click", ({ target }) => {
    const choice = target.closest("[data-unsent]")?.dataset.unsent;
    if (choice === "retry") flush();
    if (choice === "read") told = [];
    if (choice === "drop") waiting.forEach(forget), discard(waiting);
    show();
  });
  // Sent or discarded in another tab.
  addEventListener("storage", ({ key, newValue }) => newValue || discard(waiting.filter((tap) => nameOf(tap) === key)));

  let kept = {};
  try {
    kept = { ...localStorage, ...sessionStorage };
  } catch {
    // forbidden
  }
  for (const name of Object.keys(kept)) {
    if (!name.startsWith(shelf)) continue;
    const tap = JSON.parse(kept[name]);
    if (!seats.includes(tap.seat)) store(name), tell(tap, aside.dataset.lost);
    else if (tap.values) waiting.push(tap);
    else unsure.push([name, tap]);
  }
  waiting.sort((one, other) => one.at - other.at);
  show();
})();
