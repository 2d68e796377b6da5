// Keeps every file of the site: the next visit needs no network. A new version is fetched beside the
// old one and takes over when no page of the old one is open, so that no game is disturbed.

importScripts("service-files.js"); // FILES and VERSION, written with the site

// Several copies of the site may share a host, each in its own folder.
const PREFIX = `mineproof ${new URL("./", self.location).pathname} `;
const NAME = PREFIX + VERSION;

const kept = () => caches.open(NAME);

async function keepAll() {
  const cache = await kept();
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function clean() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
  await self.clients.claim();
}

async function answer(request) {
  const cache = await kept();
  const address = new URL(request.url);
  const folder = new URL("./", self.location);
  const wanted = address.pathname === folder.pathname ? new URL("index.html", folder).href : request;
  return (await cache.match(wanted, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(clean()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === self.location.origin) event.respondWith(answer(event.request));
});
