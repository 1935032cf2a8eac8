/* A link to one entry, `#v57`, made without `?upto=57`: its page is fetched, as "#" never reaches the server. */
(() => {
  const find = () => {
    const [, entry] = location.hash.match(/^#v(\d{1,9})$/) ?? [];
    if (!entry || document.getElementById("v" + entry)) return;
    const asked = new URLSearchParams(location.search);
    // There is no such entry, or not yet: its page was asked for already.
    if (asked.get("upto") === entry) return;
    asked.set("upto", entry);
    location.replace("?" + asked + location.hash);
  };
  addEventListener("hashchange", find);
  find();
})();
