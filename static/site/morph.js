/* Shows another board in place of the one on the page. Only what has changed is parsed, compared and drawn: a board has
   some two thousand nodes, an action changes a few dozen, and an old phone feels the difference. */
(() => {
  const MARKS = /<(\/?)(li|details|section)\b(?:[^>]*? id="([^"]+)")?[^>]*>/g;
  // What scripts and readers change on the page, and boards do not say.
  const OWN = ["open", "data-fresh", "data-changed", "aria-current"];
  // Sections, cards, tiles and folds as they came with the board that is shown, by id. Of one that comes again
  // unchanged only an empty element is parsed, which stands for the one on the page.
  let shown = new Map();
  let nodes;
  let wanted;

  const withIds = (root) => [...root.querySelectorAll("[id]")].map((node) => [node.id, node]);

  const parse = (html, board) => {
    const latest = new Map();
    const open = [];
    const same = [];
    for (const { 0: mark, 1: ends, 2: tag, 3: id, index } of html.matchAll(MARKS)) {
      if (!ends) {
        open.push({ begin: index, id });
        continue;
      }
      const part = open.pop();
      if (!part.id) continue;
      part.end = index + mark.length;
      const text = html.slice(part.begin, part.end);
      latest.set(part.id, text);
      if (shown.get(part.id) !== text || !nodes.has(part.id)) continue;
      // It stands for the parts in it, too.
      while (same[0]?.begin > part.begin) same.shift();
      same.unshift({ ...part, stub: `<${tag} id="${part.id}" data-same></${tag}>` });
    }
    let rest = html;
    for (const { begin, end, stub } of same) rest = rest.slice(0, begin) + stub + rest.slice(end);
    const made = document.createElement("template");
    made.innerHTML = rest;
    // A button that waits for its answer keeps its looks, so what is on the page is not what came.
    for (const button of board.querySelectorAll("[hx-morph-skip]")) {
      for (let node = button; node !== board; node = node.parentNode) latest.delete(node.id);
    }
    shown = latest;
    return made.content.firstElementChild;
  };

  // What becomes this node: the one with its id; without an id one that looks the same, or the next of its kind.
  const match = (fresh, next) => {
    if (fresh.id) {
      const node = nodes.get(fresh.id);
      nodes.delete(fresh.id);
      return node?.localName === fresh.localName && node;
    }
    let near;
    for (let node = next, n = 0; node && n < 10; node = node.nextSibling, n++) {
      if (node.id || node.nodeName !== fresh.nodeName) continue;
      if (node.isEqualNode(fresh)) return node;
      near = near ?? node;
    }
    return near;
  };

  const morph = (old, fresh) => {
    if (old.nodeType !== 1) return write(old, fresh.nodeValue);
    if (fresh.hasAttribute("data-same") || old.hasAttribute("hx-morph-skip")) return;
    for (const { name, value } of fresh.attributes) {
      if (OWN.includes(name) || old.getAttribute(name) === value) continue;
      old.setAttribute(name, value);
      if (name === "value" && old !== document.activeElement) old.value = value;
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !OWN.includes(name)) old.removeAttribute(name);
    }
    if (old.isEqualNode(fresh)) return;
    let last;
    const next = () => (last ? last.nextSibling : old.firstChild);
    for (const child of [...fresh.childNodes]) {
      let node = match(child, next());
      if (node) morph(node, child);
      else if (child.querySelector?.("[data-same]")) morph((node = child.cloneNode()), child);
      else node = child;
      while (node.parentNode === old && node !== next() && !wanted.has(next().id)) next().remove();
      if (node !== next()) old.insertBefore(node, next());
      last = node;
    }
    while (next()) next().remove();
  };

  window.draw = (html) => {
    const board = document.getElementById("board");
    nodes = new Map(withIds(board));
    const fresh = parse(html.trim(), board);
    wanted = new Map(withIds(fresh));
    morph(board, fresh);
    // A board that begins to show what this page was loaded without, such as a map on its ground.
    const needs = document.querySelector("[data-needs]")?.dataset.needs;
    if (needs && !document.getElementById(needs)) location.reload();
    document.dispatchEvent(new Event("board:drawn"));
  };
})();
