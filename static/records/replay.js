/* Stepping through a match without loading pages: only the board of a moment is fetched.
   Without this script every step is a link, and the slider is a form field. */
(() => {
  const page = document.documentElement;
  const form = document.getElementById("replay");
  const slider = document.getElementById("at");
  if (!form) return;
  const board = () => document.getElementById("board");
  const here = () => Number(board().dataset.version);
  const way = (key) => Number(document.getElementById("way-" + key).dataset.at) || 0;
  const said = document.getElementById("said");
  const narrow = matchMedia("(max-width: 43.99rem), (max-height: 29.99rem)");
  const MOST = 80;
  let known = new Map();
  let wanted = 0;
  let busy = false;
  let timer = 0;

  page.classList.add("js");

  const address = (version) => {
    const chosen = new URLSearchParams(new FormData(form));
    for (const name of ["at", "speed"]) chosen.delete(name);
    if (chosen.get("by") === "entry") chosen.delete("by");
    return (form.getAttribute("action") + "/" + version + "?" + chosen).replace(/\?$/, "");
  };

  // What was fetched is kept, so that going back and forth asks for nothing.
  const fetched = (version) => {
    const url = address(version);
    if (!known.has(url)) {
      const answer = fetch(url, { headers: { "HX-Request": "true" }, signal: after(8000) }).then((reply) => {
        if (!reply.ok || !isOurs(reply)) throw reply;
        return reply.text();
      });
      answer.catch(() => known.delete(url));
      known.set(url, answer);
      if (known.size > MOST) known.delete(known.keys().next().value);
    }
    return known.get(url);
  };

  const point = (version) => {
    const share = slider.max > 1 ? (100 * (version - 1)) / (slider.max - 1) : 0;
    document.getElementById("now").setAttribute("x", "calc(" + share + "% - 1px)");
  };

  const show = async (version) => {
    wanted = version;
    slider.value = version;
    point(version);
    if (busy) return;
    busy = true;
    try {
      // While one moment is on its way the thumb may have moved on: the last one counts.
      for (let shown = 0; shown !== wanted; ) {
        shown = wanted;
        const text = await fetched(shown).catch(() => "");
        if (!text) return lose();
        if (shown !== wanted) continue;
        history.replaceState(null, "", address(shown));
        draw(text);
      }
      settle();
    } finally {
      busy = false;
    }
  };

  const lose = () => {
    pause();
    said.textContent = form.dataset.lost;
    slider.value = here();
    point(here());
  };

  const settle = () => {
    slider.value = here();
    point(here());
    const words = board().dataset.words;
    slider.setAttribute("aria-valuetext", words);
    // A slider that has the focus announces its own text.
    if (document.activeElement !== slider) said.textContent = words;
    watchSides();
  };

  // Playing: each moment stays for the chosen time, and the next one is fetched meanwhile.

  const next = async () => {
    const version = way("onward");
    if (!version) return pause();
    await show(version);
    if (runs()) wait();
  };
  const runs = () => page.classList.contains("runs");
  const wait = () => {
    if (!way("onward")) return pause();
    fetched(way("onward")).catch(() => {});
    clearTimeout(timer);
    timer = setTimeout(next, form.elements.speed.value);
  };
  const pause = () => {
    clearTimeout(timer);
    page.classList.remove("runs");
  };
  const play = async () => {
    if (runs()) return pause();
    page.classList.add("runs");
    if (!way("onward")) await show(way("first") || here());
    wait();
  };

  const go = (key) => {
    const version = way(key);
    if (version) show(version);
    // A step taken while playing counts as one of its steps; playing goes on from there.
    if (runs()) wait();
  };

  // Controls.

  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name === "speed" || target === slider) return;
    known = new Map();
    wanted = 0;
    show(here());
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) throw new Error("refused");
  };

  // Announced, and shown until the next moment; text that a tap may not copy is selected for a long press.
  const tell = (words, text = "") => {
    said.textContent = words;
    const note = Object.assign(document.createElement("p"), { className: "hint copied", textContent: words + " " });
    const address = Object.assign(document.createElement("b"), { textContent: text });
    note.append(address);
    board().querySelector(".copied")?.remove();
    board().querySelector(".told").prepend(note);
    if (text) getSelection().selectAllChildren(address);
  };

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a");
    if (event.target.closest("#play")) play();
    else if (link?.id === "link-here") copy(link.href).then(() => tell(form.dataset.copied), () => tell(form.dataset.refused, link.href));
    else if (link?.id.startsWith("way-")) go(link.id.slice(4));
    else if (link?.matches(".score a")) document.querySelector(link.hash)?.scrollIntoView({ inline: "start", block: "nearest" });
    else if (link?.hasAttribute("data-eyes")) link.href = link.href.replace(/\/\d+\?/, "/" + here() + "?");
    if (link && !link.hasAttribute("data-eyes") && link.closest(".score, .moment")) event.preventDefault();
  });

  const KEYS = { ArrowLeft: "back", ArrowRight: "onward", ArrowDown: "back", ArrowUp: "onward", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onSlider = event.target === slider;
    const free = onSlider || event.target === document.body || event.target.closest(".ways");
    const vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (KEYS[event.key] && free && (onSlider || !vertical)) {
      event.preventDefault();
      go(KEYS[event.key]);
    } else if (event.key === " " && free && !event.target.closest("#play, a")) {
      event.preventDefault();
      play();
    }
  });

  // The score's cells are tabs: the one whose side is in sight is marked.

  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const tab = document.getElementById("tab-" + target.id.replace("side-", ""));
      if (isIntersecting && narrow.matches) tab?.setAttribute("aria-current", "true");
      else tab?.removeAttribute("aria-current");
    }
  }, { threshold: 0.6 });
  const watchSides = () => document.querySelectorAll(".sides > section").forEach((panel) => seen.observe(panel));

  // The menu closes before it would cover what is tapped or focused outside it, and inside it by Escape.

  for (const kind of ["focusin", "click", "keydown"]) document.addEventListener(kind, (event) => {
    const menu = document.querySelector(".menu[open]");
    if (menu?.contains(event.target) !== (event.key === "Escape")) return;
    menu.open = false;
    if (event.key) menu.firstElementChild.focus();
  });

  document.addEventListener("visibilitychange", () => document.hidden && pause());
  point(here());
  watchSides();
})();
