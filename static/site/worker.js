/* The program is kept on the phone; a position never is. The server writes VERSION and KEPT above this.
   Hashed files come from here first; pages come from the table, and when it is out of reach one page says so.
   Everything else (boards, streams, taps, the admin, the API) passes untouched, and none of it is kept. */
const OFFLINE = "/offline";
const isHashed = ({ url }) => /\/static\/.+\.[0-9a-f]{12}\.\w+$/.test(url);
const cache = () => caches.open(VERSION);

const fill = async () => {
  await (await cache()).addAll(KEPT);
  await skipWaiting();
};

const tidy = async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("roundtable-") && name !== VERSION) await caches.delete(name);
  }
  await clients.claim();
};

const fileOf = async (request) => {
  const kept = await (await cache()).match(request);
  if (kept && isHashed(request)) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok && isHashed(request)) await (await cache()).put(request, answer.clone());
    return answer;
  } catch {
    return kept ?? Response.error();
  }
};

// The stand-in page is kept in the language last used.
const translate = async (answer) => {
  const language = answer.headers.get("content-language");
  const kept = await (await cache()).match(OFFLINE);
  if (language && language !== kept?.headers.get("content-language")) await (await cache()).add(OFFLINE);
};

const pageOf = async (event) => {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(translate(answer).catch(() => {}));
    return answer;
  } catch {
    return (await (await cache()).match(OFFLINE)) ?? Response.error();
  }
};

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("notificationclick", ({ notification }) => {
  notification.close();
  clients.matchAll({ type: "window" }).then((all) => {
    return (all.find(({ url }) => new URL(url).pathname === notification.tag) ?? all[0])?.focus();
  });
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || /^\/(admin|api)\//.test(pathname)) return;
  if (request.mode === "navigate") event.respondWith(pageOf(event));
  else if (pathname.startsWith("/static/")) event.respondWith(fileOf(request));
});
