/* What a phone adds to plain forms: a tap is acknowledged at once and sent once; sheets open over the table, and
   the newest board is shown. Everything works without this script, only slower. */
(() => {
  const find = (selector) => document.querySelector(selector);
  const narrow = matchMedia("(max-width: 43.99rem), (max-height: 29.99rem)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const ordinals = { table: 0, adjust: 0, undo: 0, guests: 0 };
  const flying = new Set();
  const labels = new WeakMap();
  let refused;

  const root = document.documentElement;
  root.classList.add("js");

  // Forms stay plain where this script cannot run, or a form does not say which button sent it (Safari before 15.4).
  if (!("submitter" in (window.SubmitEvent ?? Event).prototype)) window.htmx = null;
  if (window.htmx) {
    for (const form of document.querySelectorAll("form[hx-ignore]")) form.removeAttribute("hx-ignore");
    htmx.process(document.body);
  }

  // If nothing may be stored, it is remembered while the page lasts.
  window.memory = {};
  try {
    localStorage.awake = localStorage.awake ?? "";
    memory = localStorage;
  } catch {
    // forbidden, or full
  }

  // A tapped button looks pressed at once, and morphs skip it until its own answer is here.

  const marks = ["aria-pressed", "data-pending", "hx-morph-skip"];
  const press = (button) => marks.forEach((name) => button.setAttribute(name, "true"));
  const release = (button) => marks.forEach((name) => button?.removeAttribute(name));
  // Vibrate only for the player's own action that counts, and for their turn; browsers forbid it before a touch.
  const buzz = (pattern) => {
    if (!still.matches && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
  };
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
  const ours = (ctx) => ordinals.hasOwnProperty(ctx?.sourceElement?.id);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[form][name]");
    if (!button) return;
    const form = button.getAttribute("form");
    if (button.matches("[data-fresh]") || (form !== "adjust" && flying.has(form))) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (window.htmx) press(button);
  }, true);

  // One key for each open question: a second click repeats it. Adjustments add up, so each has its own.

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!ours(ctx)) return;
    const form = ctx.sourceElement.id;
    ctx.request.body.set("key", ctx.request.body.get("key") + "-" + ordinals[form]);
    if (form === "adjust") ordinals.adjust += 1;
    ctx.kept = Object.fromEntries(ctx.request.body);
    ctx.request.body.set("tab", tab);
    flying.add(form);
    refused = null;
    for (const card of document.querySelectorAll("[data-changed]")) card.removeAttribute("data-changed");
  });

  // A refusal that nobody could read, because another board came before or right after it, is shown beside the table.
  const tellRefused = () => {
    if (find(".notice.bad")) return;
    if (Date.now() < refused?.until) tell("tap:told", refused);
    refused = null;
  };

  const finish = (form, counts) => {
    if (form !== "adjust") ordinals[form] += 1;
    if (counts) buzz(12);
  };

  // The answer is a board, and it is authoritative unless a newer one is already shown.

  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!ours(ctx)) return;
    const status = ctx.response.status;
    const answer = / data-version="(\d+)"/.exec(ctx.text);
    // The seat is gone, or the page's token: the page that comes sends the tap, or tells why it cannot.
    if (status === 403 && isOurs(ctx.response)) return location.reload();
    const busy = status === 503 || status === 429;
    ctx.text = ctx.text.trim();
    const refusal = status > 200 && new DOMParser().parseFromString(ctx.text, "text/html");
    if (busy) ctx.why = refusal.body.textContent.trim();
    ctx.answered = answer && !busy;
    release(ctx.request.submitter);
    if (ctx.answered) finish(ctx.sourceElement.id, !refusal);
    const why = refusal && refusal.querySelector(".notice.bad")?.textContent;
    refused = why && { words: ctx.words, why, until: Date.now() + 5000 };
    if (!answer || status >= 500) return;
    if (Number(answer[1]) < version()) {
      tell("table:stale");
      return tellRefused();
    }
    // A sheet may come after the board: htmx shows it.
    const end = ctx.text.indexOf("</main>") + 7;
    update(ctx.text.slice(0, end), true);
    ctx.text = ctx.text.slice(end);
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!ours(ctx)) return;
    flying.delete(ctx.sourceElement.id);
    release(ctx.request.submitter);
    if (!ctx.answered) tell("tap:unsent", { form: ctx.sourceElement.id, values: ctx.kept, words: ctx.words, why: ctx.why });
  });

  document.addEventListener("tap:answered", ({ detail }) => finish(detail.form, detail.counts));

  // Buttons that a morph relabelled rest for a moment, so that a tap on its way cannot mean something else.

  const taps = () => [...document.querySelectorAll("#board button[form][name]")];
  const notes = () => [...document.querySelectorAll(".side.mine, .facing .side")];
  const asked = () => find("#question")?.textContent;
  const heading = (side) => side.querySelector(".note h3")?.textContent;

  const relabelled = (button) => labels.get(button) !== button.value && labels.set(button, button.value);
  let focused = root;
  const refocus = () => {
    if (!focused.isConnected) (sheet.open ? sheet : find("#question"))?.focus({ preventScroll: true });
    focused = document.activeElement;
  };
  document.addEventListener("htmx:after:swap", refocus);

  // Cards and places that others have changed are marked until this phone's next tap, and a number counts to its value.

  const counting = new Map();
  let ticks;
  const count = (steps) => {
    clearTimeout(ticks);
    for (const [number, to] of counting) {
      const from = Number(number.textContent);
      number.textContent = steps ? from + Math.sign(to - from) : to;
      if (number.textContent === String(to)) counting.delete(number);
    }
    if (counting.size) ticks = setTimeout(count, 90, true);
  };
  const facts = () => [...document.querySelectorAll("#board :is(.card, .tile)[id]")].map((card) => {
    const parts = [...card.querySelectorAll(".gauge, .badges, .by")];
    return [card.id, { card, text: parts.map((part) => part.textContent).join(), left: card.querySelector(".gauge b") }];
  });
  const mark = (before) => {
    for (const [id, { card, text, left }] of facts()) {
      const then = before.get(id);
      if (!then || then.text === text) continue;
      card.setAttribute("data-changed", "");
      const [from, to] = [then.number, left?.textContent].map(Number);
      if (from === to || !(from >= 0 && to >= 0) || still.matches) continue;
      counting.set(left, to);
      left.textContent = from;
    }
    ticks = setTimeout(count, 90, true);
  };

  const update = (html, isMine) => {
    count();
    const then = new Map(facts().map(([id, { text, left }]) => [id, { text, number: left?.textContent }]));
    const before = { ...board(), guided: guided(), notes: notes().map(heading), asked: asked() };
    focused = document.activeElement;
    draw(html);
    if (!isMine && before.state !== "watch") mark(then);
    const buttons = taps();
    const fresh = buttons.filter(relabelled);
    for (const button of fresh) button.setAttribute("data-fresh", "");
    setTimeout(() => fresh.forEach((button) => button.removeAttribute("data-fresh")), 300);
    const { version, news, state } = board();
    if (version !== before.version) find("#said").textContent = [news, asked()].filter(Boolean).join(" ");
    if (before.state !== "ask" && state === "ask") buzz([20, 60, 20]);
    refocus();
    if (asked() !== before.asked) {
      find(".bar")?.scrollTo(0, 0);
      // On a low screen the question scrolls away with the rest of the page.
      if (state === "ask") find("#question")?.scrollIntoView({ block: "nearest" });
    }
    if (guided() !== before.guided) turnTo(guided() ? find("#middle") : find(".side"));
    notes().forEach((side, n) => {
      if (heading(side) && heading(side) !== before.notes[n]) side.scrollTo(0, 0);
    });
    if (!narrow.matches || find("#tab-middle[aria-current]")) find(".guide .now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    watchSides();
    watchChoices(buttons);
    tellRefused();
  };

  // The score's cells are tabs: they turn to a side and leave no trace in the browser's history.

  const guided = () => Boolean(find("#guide, #atlas"));
  const turnTo = (panel) => narrow.matches && panel?.scrollIntoView({ inline: "start", block: "nearest" });
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const tab = find("#tab-" + target.id.replace("side-", ""));
      if (isIntersecting && narrow.matches) tab?.setAttribute("aria-current", "true");
      else tab?.removeAttribute("aria-current");
    }
  }, { threshold: 0.6 });
  const watchSides = () => document.querySelectorAll(".sides > section").forEach((panel) => seen.observe(panel));

  document.addEventListener("click", (event) => {
    const tab = event.target.closest(".score a[href^='#']");
    if (!tab) return;
    event.preventDefault();
    find(tab.getAttribute("href"))?.scrollIntoView({ inline: "start", block: "nearest" });
  });

  // Whoever is asked sees something to tap: for each question the page turns to it, and if they turn away from it, a
  // button leads back. Ways out do not count, and of a fold only its heading is seen.

  const inSight = new Set();
  let watched = [];
  let first;
  let question;
  let turns;
  const leadBack = () => first.scrollIntoView({ block: "nearest", inline: "nearest" });
  const choices = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
    // On a low screen all scrolls as one page: there the question stays in sight, with the button.
    const { scrollHeight, clientHeight } = find(".live");
    const turning = turns && scrollHeight === clientHeight;
    root.classList.toggle("turned-away", !inSight.size && !turning);
    if (turning && !inSight.size) leadBack();
    turns = false;
  }, { threshold: 0.5 });
  const watchChoices = (buttons) => {
    const all = buttons.filter((button) => button.matches("[name=action]:not(.quiet, .danger)"));
    const open = all.filter((button) => !button.closest("details:not([open])"));
    const shown = open[0] ? open : all.map((button) => button.closest("details").firstElementChild);
    first = shown[0];
    const before = question;
    question = board().state + asked() + first?.closest("section").id;
    if (question === before && shown.length === watched.length && shown.every((one, n) => one === watched[n])) return;
    watched = shown;
    turns = turns || question !== before;
    choices.disconnect();
    inSight.clear();
    root.classList.remove("turned-away");
    for (const one of shown) choices.observe(one);
  };
  document.addEventListener("click", ({ target }) => target.closest(".to-answers button") && leadBack());

  // Sheets open over the table; without scripts they are pages.

  const sheet = find("#sheet");

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.pencil, .sources a");
    if (!link || !sheet || !window.htmx || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.setAttribute("data-pending", "");
    try {
      const answer = await get(link.href, { "HX-Request": "true" });
      // Out of reach: following the link would only take the board away.
      if (!isOurs(answer)) return tell("tap:told", { words: link.textContent });
      if (!answer.ok) throw answer;
      await htmx.swap({ text: (await answer.text()).trim(), target: "#sheet-body", swap: "innerHTML" });
      // A sheet brings its own style sheet, which must load first.
      const style = sheet.querySelector("link");
      if (!style.sheet) await new Promise((ready) => (style.onload = style.onerror = ready));
      sheet.showModal();
      history.pushState({ sheet: true }, "");
    } catch {
      location.href = link.href;
    } finally {
      link.removeAttribute("data-pending");
    }
  });

  // A card without an answer opens its sheet; the pencils are shown while the switch in the menu is on.
  const correcting = find("#correcting");
  correcting?.removeAttribute("hidden");
  document.addEventListener("click", ({ target }) => {
    if (correcting?.contains(target)) correcting.setAttribute("aria-checked", root.classList.toggle("correcting"));
    else if (!target.closest("a, button, summary")) target.closest(".card, .tile")?.querySelector(".pencil")?.click();
  });

  sheet?.addEventListener("click", (event) => {
    if (event.target !== sheet && !event.target.closest("[data-close]")) return;
    event.preventDefault();
    sheet.close();
  });

  // Back closes an open sheet; a sheet that was closed otherwise leaves no step to go back.
  const stepBack = () => history.state?.sheet && history.back();
  addEventListener("popstate", () => sheet?.open && sheet.close());
  sheet?.addEventListener("close", stepBack);
  stepBack();

  // Small comforts.

  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      step.dataset.step < 0 ? input.stepDown() : input.stepUp();
    }
    // If the phone can share an address, "Share" does that; otherwise it leads to the page that would be shared.
    // A player who changes their mind has shared nothing, and that is no error.
    const shared = event.target.closest("[data-share]");
    if (navigator.share && shared) {
      event.preventDefault();
      navigator.share({ title: find("#question").textContent.trim(), url: shared.href }).catch(() => {});
    }
  });

  // The menu closes before it would cover what is tapped or focused outside it, and inside it by Escape.

  for (const kind of ["focusin", "click", "keydown"]) document.addEventListener(kind, (event) => {
    const menu = find(".menu[open]");
    if (menu?.contains(event.target) !== (event.key === "Escape")) return;
    menu.open = false;
    if (event.key) find(".menu summary").focus();
  });

  // News of the table: the newest known board is shown.

  const board = () => find("#board").dataset;
  const version = () => Number(board().version);
  // A request for a seat makes no new version: while a seat is open, boards are also told apart by this.
  const guests = () => board().guests;

  const show = (html, anyway) => {
    const shown = / data-version="(\d+)"(?: data-guests="([\d.]*)")?/.exec(html);
    const later = shown?.[1] - version();
    // An older board came late, or from a backup: the server knows which.
    if (later < 0) return ask();
    const differs = shown && (later || shown[2] !== guests());
    if (differs && !window.htmx) return location.reload();
    if (differs || (shown && anyway)) update(html);
    tell("table:heard");
  };

  const sign = find("#link");
  const ask = window.follow && follow({
    sign,
    pace: 1,
    seen: () => (guests() == null ? version() : ""),
    news: (anyway) => sign.dataset.news + "&seen=" + (anyway ? 0 : version()) + (guests() == null ? "" : "&guests=" + guests()),
    show,
    beat: (latest) => (latest > version() ? ask() : tell("table:heard")),
    // `hall/strip.js` may know where to go. While two programs answer in turn, a page must not reload in a tight loop.
    gone: (answer) => window.leave?.(answer) ?? setTimeout(() => location.reload(), 3000 - performance.now()),
    // A player may be called to the table.
    rests: () => /over|watch/.test(board().state),
  });

  document.addEventListener("table:stale", () => ask(true));

  // The screen stays on during a match if the phone allows it; the switch in the menu shows whether it does.
  // No video stands in for a wake lock: phones sleep through a muted one, and sound would stop their music.

  const button = find("#awake");
  let wanted = memory.awake !== "no";
  let spurned = !navigator.wakeLock;
  let asking;
  let lock;

  const showLock = () => {
    button.setAttribute("aria-checked", Boolean(lock));
    button.querySelector("small").textContent = button.dataset[lock ? "on" : spurned ? "never" : "off"];
  };

  const hold = async () => {
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.onrelease = () => showLock((lock = null));
      spurned = false;
    } catch {
      spurned = navigator.userActivation?.hasBeenActive !== false;
    }
    asking = false;
  };

  const stayAwake = async () => {
    if (asking) return;
    const due = wanted && !find("#board[data-state='over']");
    if (lock && !due) await lock.release();
    if (!lock && due && !document.hidden && navigator.wakeLock) await hold();
    showLock();
  };

  document.addEventListener("click", ({ target }) => {
    if (button.contains(target)) memory.awake = (wanted = !lock) ? "yes" : "no";
    stayAwake();
  });
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("board:drawn", () => lock && stayAwake());
  button.disabled = spurned;
  button.hidden = false;

  stayAwake();
  watchSides();
  taps().forEach(relabelled);
  watchChoices(taps());
})();
