/* What could not be sent waits in sight, survives a reload, and goes out in its order once the table answers.
   Corrections add up, so all of them go; of the answers to a question only the last one goes; the rest is
   explained. An answer may be sealed: of it nothing is stored but that there was one. */
(() => {
  const find = (selector) => document.querySelector(selector);
  const aside = find("#unsent");
  if (!aside || !window.htmx) return;
  const news = new URL(find("#live").dataset.board, location.href);
  const seats = news.searchParams.get("seats").split(".");
  const shelf = "unsent " + news.pathname;
  const sheet = find("#sheet");
  let waiting = [];
  let told = [];
  let flight = null;

  const keep = () => {
    const taps = waiting.map((tap) => (tap.form === "table" ? { form: tap.form, seat: tap.seat } : tap));
    if (taps.length) localStorage[shelf] = JSON.stringify(taps);
    else delete localStorage[shelf];
  };

  // What is shown: what waits, then what did not count and why.

  const line = (tap) => {
    const item = document.createElement("li");
    item.textContent = tap.words;
    if (tap.why) item.append(document.createElement("br"), tap.why);
    return item;
  };
  const show = () => {
    const { one, many, none } = aside.dataset;
    const count = waiting.length;
    aside.hidden = !count && !told.length;
    aside.querySelector("b").textContent = count > 1 ? many.replace("#", count) : count ? one : none;
    aside.querySelector("ul").replaceChildren(...waiting.flatMap((tap) => [tap, ...tap.instead]).concat(told).map(line));
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
    return [
      button.closest(".piece")?.querySelector("h2").textContent,
      group?.getAttribute("aria-label") ?? group?.firstElementChild.firstChild.textContent,
      number ?? (button.querySelector(".face > :first-child, * + .unseen") ?? button).textContent,
    ].map((text) => text?.trim().replace(/\s+/g, " ")).filter(Boolean).join(" · ");
  };

  // A tap joins the line while others wait.

  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (!ctx.kept) return;
    ctx.words = named(ctx.request.submitter);
    if (waiting.length) event.preventDefault();
  });

  document.addEventListener("tap:unsent", ({ detail: { form, values, words, why } }) => {
    delete values.csrfmiddlewaretoken;
    values.seat ??= seats[0];
    const earlier = waiting.find((tap) => tap.form === form && form !== "adjust" && tap !== flight);
    waiting = waiting.filter((tap) => tap !== earlier);
    // Its answer may only have been lost: whether it is replaced shows when the later one is answered.
    const instead = earlier?.instead ?? [];
    if (earlier && earlier.words !== words) instead.push({ words: earlier.words, why: aside.dataset.replaced });
    waiting.push({ form, values, words, why, instead, seat: values.seat });
    keep();
    show();
  });

  document.addEventListener("tap:told", ({ detail }) => tell(detail, detail.why ?? aside.dataset.later));

  // They go one after the other, until one finds nobody there.

  const send = async ({ form: id, values }) => {
    const form = document.getElementById(id);
    const body = new URLSearchParams({ ...values, waited: 1, csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
    body.delete("sheet");
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { "HX-Request": "true" },
      signal: AbortSignal.timeout(8000),
    });
    // What somebody on the way has answered has not come to the table.
    const isOurs = answer.headers.has("cross-origin-resource-policy");
    if (answer.status === 429 || answer.status >= 500 || !isOurs) throw answer;
    if (answer.ok) return "";
    // The answers to one question share a key, and another one of them was there first.
    if (answer.status === 422 && id !== "adjust") return aside.dataset.counts;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[role=alert]")?.textContent.trim() || aside.dataset.moved;
  };
  const flush = async () => {
    if (flight || !waiting.length) return;
    try {
      while ((flight = waiting[0])) {
        const why = await send(flight);
        waiting = waiting.filter((tap) => tap !== flight);
        keep();
        if (why !== aside.dataset.counts) told.push(...flight.instead);
        if (why) tell(flight, why);
        document.dispatchEvent(new CustomEvent("tap:answered", { detail: { form: flight.form, counts: !why } }));
      }
    } catch {
      // they wait on
    }
    flight = null;
    show();
    document.dispatchEvent(new Event("table:stale"));
  };

  document.addEventListener("table:heard", flush);
  sheet.addEventListener("close", show);
  aside.addEventListener("click", ({ target }) => {
    const choice = target.closest("[data-unsent]")?.dataset.unsent;
    if (choice === "retry") flush();
    if (choice === "drop") waiting = waiting.filter((tap) => tap === flight);
    if (choice === "read") told = [];
    keep();
    show();
  });

  for (const tap of JSON.parse(localStorage[shelf] ?? "[]")) {
    if (!seats.includes(tap.seat)) tell(tap, aside.dataset.lost);
    else if (!tap.values) tell(tap, aside.dataset.forgotten);
    else waiting.push({ instead: [], ...tap });
  }
  keep();
  show();
})();
