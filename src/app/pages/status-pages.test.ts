import assert from "node:assert/strict";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { createSessionCookie } from "../../kit/browser/session-cookie.ts";
import { createSessionAdmin } from "../../store/units/session-admin.ts";
import { createApiFixture, sessionLifetimes } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { aCheck, aFlip, aResult, minute } from "../../../test/record-builders.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const own = "watchpost.example";

/** A page of Alice's with two checks, of which one is down, beside checks that are not on it, hers and Carol's. */
async function withPage(settings: object = {}, attemptsPerMinute = 0) {
  const fixture = await createApiFixture();
  const { store, clock, alice, carol, ask } = fixture;
  const insert = (name: string, accountId: string) =>
    store.write((tx) =>
      tx.checks.insert(
        aCheck(name, {
          accountId,
          id: `${accountId}-${name}`,
          label: `private ${name}`,
          description: "private words",
          tags: ["private-tag"],
          parameters: { target: "https://user:private-key@private.example/?key=private" },
          createdAt: clock.now(),
        }),
      ),
    );
  const up = await insert("UPUPUP", alice.account.id);
  const down = await insert("DOWNDOWN", alice.account.id);
  await insert("OTHER", alice.account.id);
  const carols = await insert("CAROLS", carol.account.id);
  await clock.advance(10 * minute);
  await store.write(async ({ states, results }) => {
    const since = clock.now();
    const said = { text: "private text", message: "private message" };
    await results.append(aResult(down.no, since, { passed: false, ...said }));
    for (const { no } of [down, carols])
      await states.flip(aFlip(no, { id: `flip-${no}`, at: since, since, ...said }));
    await states.flip(aFlip(up.no, { id: "flip-up", to: "passing", at: since, since }));
  });
  await clock.advance(5 * minute);
  const { body: page, status } = await ask(alice, "POST /statuspages", {
    name: "Shop <b>",
    slug: "shop",
    intro: "**All** about <i>us</i>",
    sections: [
      { name: "Web", checks: [{ id: up.id, name: "Home page" }] },
      { name: "Money", checks: [{ id: down.id, name: "Payments" }] },
    ],
    ...settings,
  });
  assert.equal(status, 200, JSON.stringify(page));
  const server = httpServer({ deps: fixture.deps, attemptsPerMinute });
  let listening: Promise<string> | undefined;
  return {
    fixture,
    page,
    checks: { up, down, carols },
    open: (url: string, headers: Record<string, string> = {}) =>
      server.inject({ url, headers: { host: own, ...headers } }),
    /** Over a connection, for what looks at the host comes before all routes. */
    at: async (host: string, path: string) => {
      listening ??= server.listen({ port: 0, host: "127.0.0.1" });
      const sent = request(await listening, { path, headers: { host }, agent: false });
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      sent.on("response", resolve).on("error", reject).end();
      const response = await promise;
      return { statusCode: response.statusCode, body: await text(response) };
    },
    close: async (): Promise<void> => {
      await server.close();
    },
    post: (url: string, password: string, headers: Record<string, string> = {}) =>
      server.inject({
        method: "POST",
        url,
        headers: { host: own, "content-type": "application/x-www-form-urlencoded", ...headers },
        payload: new URLSearchParams({ password }).toString(),
      }),
  };
}

const feeds = ["/feed.atom", "/feed.rss", "/feed.json"];
const parts = ["", "/status.json", "/badge.svg", "/badge.json", ...feeds];

test("a page shows the chosen checks under their chosen names, with their states, and nothing else of anybody", async () => {
  const { fixture, page, open } = await withPage();
  await using _ = fixture;
  const { alice, carol } = fixture;
  const paths = [
    ...parts.map((part) => `/status/shop${part}`),
    `/reports/status/${page._id}`,
    `/reports/statusevents/${page._id}/listchecks`,
  ];
  for (const path of paths) {
    const { statusCode, body, headers } = await open(path);
    assert.equal(statusCode, 200, path);
    for (const word of ["private", alice.account.id, carol.account.id, "OTHER", "CAROLS", page._id])
      assert.ok(!body.includes(word) || path.includes(word), `${path} has ${word}`);
    assert.equal(headers["cache-control"], "public, max-age=10");
  }
  const { body } = await open("/status/shop");
  for (const words of [
    "<h1>Shop &lt;b&gt;</h1>",
    "<strong>All</strong> about &lt;i&gt;us&lt;/i&gt;",
    "Some of it is down",
    "Home page",
    "Payments",
    "66.66 % uptime in 90 days",
    "5 January 2026: down for 5 min",
  ])
    assert.ok(body.includes(words), words);
  assert.doesNotMatch(body, /<script| style=| on\w+=|<b>|<i>/);
});

test("integrations of the original service read the checks of a page", async () => {
  const { fixture, page, open } = await withPage();
  await using _ = fixture;
  const { jobs } = (await open(`/reports/statusevents/${page._id}/listchecks`)).json();
  assert.deepEqual(
    jobs.map(({ label, status, uptime }: Record<string, never>) => [label, status, uptime]),
    [
      ["Home page", "up", { ...emptyDays, "2026-01-05": { uptime: 100 }, total: { uptime: 100 } }],
      [
        "Payments",
        "down",
        { ...emptyDays, "2026-01-05": { uptime: 66.666 }, total: { uptime: 66.666 } },
      ],
    ],
  );
});

const emptyDays = Object.fromEntries(
  ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"].map(
    (day) => [day, { uptime: 100 }],
  ),
);

test("a check of another account is not shown, whatever the page has", async () => {
  const { fixture, page, checks, open } = await withPage();
  await using _ = fixture;
  const { store, alice } = fixture;
  const stored = await store.statusPages.find(alice.account.id, page._id);
  assert.ok(stored);
  const sections = [{ name: "Web", checks: [{ id: checks.carols.id, name: "Carol's" }] }];
  await store.write((tx) => tx.statusPages.update({ ...stored, sections }));
  const { state, sections: shown } = (await open("/status/shop/status.json")).json();
  assert.deepEqual([state, shown], ["unknown", [{ name: "Web", state: "unknown", checks: [] }]]);
});

for (const { name, change } of [
  { name: "switched off", change: { enabled: false } },
  { name: "renamed", change: { slug: "other" } },
]) {
  test(`a page that is ${name} is gone at once, exactly as one that never was`, async () => {
    const { fixture, page, open } = await withPage();
    await using _ = fixture;
    const unknown = await open("/status/never");
    assert.equal(unknown.statusCode, 404);
    assert.equal((await open("/status/shop")).statusCode, 200);
    await fixture.ask(fixture.alice, `PUT /statuspages/${page._id}`, change);
    const gone = await open("/status/shop");
    assert.deepEqual([gone.statusCode, gone.body], [404, unknown.body]);
  });
}

for (const path of ["/status", "/status/shop/secret", "/status/shop/logo", "/status/shop/a/b"]) {
  test(`there is nothing at ${path}`, async () => {
    const { fixture, open } = await withPage();
    await using _ = fixture;
    assert.equal((await open(path)).statusCode, 404);
  });
}

for (const part of ["constructor", "__proto__", "toString"]) {
  test(`no part of a page is named ${part}`, async () => {
    const { fixture, open } = await withPage();
    await using _ = fixture;
    assert.equal((await open(`/status/shop/${part}`)).statusCode, 404);
  });
}

test("a logo is sent as the image that it is, and can be nothing else", async () => {
  const { fixture, open } = await withPage({
    logo: `data:image/png;base64,${png.toString("base64")}`,
    color: "#1d4ed8",
    language: "de",
  });
  await using _ = fixture;
  const { headers, rawPayload } = await open("/status/shop/logo");
  assert.deepEqual([headers["content-type"], rawPayload], ["image/png", png]);
  assert.match(String(headers["content-security-policy"]), /^default-src 'none'; sandbox$/);
  const { body } = await open("/status/shop");
  assert.match(body, /<img src="\/status\/shop\/logo" alt="" ?\/?>/);
  assert.match(body, /border-top:.4rem solid #1d4ed8/);
  assert.match(body, /lang="de".*Teilweise ausgefallen|lang="de"[\s\S]*Einiges ist ausgefallen/);
});

test("a page with a password tells nothing of itself but to who knows it, until it has another", async () => {
  const { fixture, page, open, post } = await withPage({
    access: "password",
    password: "correct horse",
  });
  await using _ = fixture;
  for (const part of parts) {
    const refused = await open(`/status/shop${part}`);
    assert.equal(refused.statusCode, 403);
    assert.doesNotMatch(refused.body, /Shop|Payments|Money/);
    assert.equal(refused.headers["cache-control"], "private, no-store");
    assert.match(String(refused.headers["content-security-policy"]), /frame-ancestors 'none'/);
  }
  assert.equal((await post("/status/shop", "wrong horse")).statusCode, 403);
  const entered = await post("/status/shop", "correct horse");
  const cookie = String(entered.headers["set-cookie"]);
  assert.deepEqual([entered.statusCode, entered.headers.location], [303, "?"]);
  assert.match(cookie, /HttpOnly; SameSite=Lax$/);
  const [pair = ""] = cookie.split(";");
  const shown = await open("/status/shop", { cookie: pair });
  assert.equal(shown.statusCode, 200);
  assert.equal(shown.headers["cache-control"], "private, no-store");
  assert.equal(shown.headers["access-control-allow-origin"], undefined);
  const later = pair.replace(/=(\d)/, "=9");
  assert.equal((await open("/status/shop", { cookie: later })).statusCode, 403);
  await fixture.ask(fixture.alice, `PUT /statuspages/${page._id}`, { password: "another horse" });
  assert.equal((await open("/status/shop", { cookie: pair })).statusCode, 403);
});

test("a password is remembered for thirty days", async () => {
  const { fixture, open, post } = await withPage({ access: "password", password: "correct horse" });
  await using _ = fixture;
  const [cookie = ""] = String(
    (await post("/status/shop", "correct horse")).headers["set-cookie"],
  ).split(";");
  await fixture.clock.advance(30 * 86_400_000 - 1000);
  assert.equal((await open("/status/shop", { cookie })).statusCode, 200);
  await fixture.clock.advance(2000);
  assert.equal((await open("/status/shop", { cookie })).statusCode, 403);
});

test("passwords of pages can be tried so often", async () => {
  const { fixture, post } = await withPage({ access: "password", password: "correct horse" }, 2);
  await using _ = fixture;
  const statuses = [];
  for (const word of ["one horse", "two horse", "correct horse"])
    statuses.push((await post("/status/shop", word)).statusCode);
  // The right one comes too late.
  assert.deepEqual(statuses, [403, 403, 403]);
});

test("a page for who is signed in is shown to people of its account and its parent, and to no stranger", async () => {
  const { fixture, open } = await withPage({ access: "signedin" });
  await using _ = fixture;
  const { store, clock, alice, bob, carol } = fixture;
  const cookieOf = async ({ account, contact }: typeof alice): Promise<string> => {
    const of = { accountId: account.id, contactId: contact.id };
    const sessions = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
    const session = sessions.prepare(of, { client: "", agent: "" });
    await store.write(session.insert);
    const cookie = createSessionCookie({ isSecure: false });
    return cookie.write(session.secret, minute).split(";")[0] ?? "";
  };
  const statusFor = async (cookie: string, path = "/status/shop"): Promise<number> =>
    (await open(path, { cookie })).statusCode;
  assert.equal((await open("/status/shop")).statusCode, 403);
  assert.equal(await statusFor(await cookieOf(alice)), 200);
  for (const who of [bob, carol]) assert.equal(await statusFor(await cookieOf(who)), 403);
  await fixture.ask(bob, "POST /statuspages", { name: "B", slug: "bobs", access: "signedin" });
  assert.equal(await statusFor(await cookieOf(alice), "/status/bobs"), 200);
});

test("a page is shown under its domain, and nothing else is", async () => {
  const { fixture, at, close } = await withPage({ domain: "shop.status.example" });
  await using _ = fixture;
  const host = "Shop.Status.Example:8080";
  const shown = await at(host, "/");
  assert.equal(shown.statusCode, 200);
  assert.match(shown.body, /Payments/);
  assert.equal((await at(host, "/status.json")).statusCode, 200);
  for (const path of ["/api/1/checks", "/healthz", "/docs", "/v1?id=x", "/signin", "/status/shop"])
    assert.equal((await at(host, path)).statusCode, 404, path);
  for (const other of ["other.status.example", "status.example"])
    assert.equal((await at(other, "/")).statusCode, 404, other);
  await close();
});

for (const host of [
  "shop.status.example.evil.example",
  "evil.example",
  "xstatus.example",
  "127.0.0.1",
  own,
  "../shop.status.example",
  "shop.status.example@evil.example",
]) {
  test(`the host ${host} has no page, but the dashboard`, async () => {
    const { fixture, at, close } = await withPage({ domain: "shop.status.example" });
    await using _ = fixture;
    assert.match((await at(host, "/")).body, /<title>Watchpost<\/title>/);
    assert.doesNotMatch((await at(host, "/status-domain/")).body, /Payments/);
    await close();
  });
}

test("a proxy is told for which domains to get a certificate", async () => {
  const { fixture, at, close } = await withPage({ domain: "shop.status.example" });
  await using _ = fixture;
  const asked = async (host: string, domain: string) =>
    (await at(host, `/reports/domains?domain=${encodeURIComponent(domain)}`)).statusCode;
  assert.equal(await asked(own, "Shop.status.example"), 200);
  for (const domain of [
    "other.status.example",
    "status.example",
    "evil.example",
    own,
    "",
    "a/../b",
  ])
    assert.equal(await asked(own, domain), 404, domain);
  assert.equal((await at(own, "/reports/domains")).statusCode, 404);
  assert.equal(await asked("shop.status.example", "shop.status.example"), 404);
  await close();
});

test("what one host was sent is not sent to another", async () => {
  const { fixture, at, close } = await withPage({ domain: "shop.status.example" });
  await using _ = fixture;
  await fixture.ask(fixture.carol, "POST /statuspages", { name: "C", domain: "c.status.example" });
  await at(own, "/");
  const [one, other, third] = await Promise.all([
    at("shop.status.example", "/"),
    at("c.status.example", "/"),
    at(own, "/status/shop"),
  ]);
  assert.match(one.body, /Payments/);
  assert.doesNotMatch(other.body, /Payments/);
  assert.match(third.body, /Payments/);
  await close();
});

/** With an incident that is open, one that is over, and one of another page. */
async function withIncidents() {
  const site = await withPage({
    sections: [],
    timezone: "Europe/Berlin",
  });
  const { fixture, page } = site;
  const { alice, ask, clock } = fixture;
  const { body: other } = await ask(alice, "POST /statuspages", { name: "Other" });
  const { body: past } = await ask(alice, "POST /incidents", { name: "Past <i>", text: "a" });
  await clock.advance(minute);
  await ask(alice, `PUT /incidents/${past._id}`, { stage: "resolved", text: "**fine** <script>" });
  await ask(alice, "POST /incidents", {
    name: "Payments fail & more",
    text: "We look.",
    pages: [page._id],
  });
  await ask(alice, "POST /incidents", { name: "private elsewhere", pages: [other._id] });
  return site;
}

test("incidents are on their pages with all that was posted, the open ones above, the past ones by month", async () => {
  const { fixture, open } = await withIncidents();
  await using _ = fixture;
  const { body } = await open("/status/shop");
  const order = [
    "Payments fail &amp; more",
    "We look.",
    "History",
    "January 2026",
    "Past &lt;i&gt;",
  ];
  const places = order.map((words) => body.indexOf(words));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  assert.ok(
    places.every((place) => place > 0),
    places.join(),
  );
  assert.match(body, /<strong>fine<\/strong> &lt;script&gt;/);
  assert.doesNotMatch(body, /private|<script/);
});

test("a page on which all checks pass does not say so while an incident is open", async () => {
  const { fixture, open, page, checks } = await withPage();
  await using _ = fixture;
  const { ask, alice } = fixture;
  const sections = [{ name: "Web", checks: [checks.up.id] }];
  await ask(alice, `PUT /statuspages/${page._id}`, { sections });
  assert.match((await open("/status/shop")).body, /Everything is operational/);
  const { body } = await ask(alice, "POST /incidents", { name: "Slow" });
  assert.match((await open("/status/shop")).body, /There is an open incident/);
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "resolved" });
  assert.match((await open("/status/shop")).body, /Everything is operational/);
});

test("a draft is nowhere before it is published", async () => {
  const { fixture, open, page } = await withPage();
  await using _ = fixture;
  const { ask, alice } = fixture;
  const paths = ["", "status.json", "badge.svg", "badge.json", "feed.atom", "feed.rss", "feed.json"]
    .map((part) => `/status/shop/${part}`)
    .concat(`/reports/statusevents/${page._id}/listchecks`);
  const all = () => Promise.all(paths.map(async (path) => (await open(path)).body));
  const before = await all();
  const [check] = page.sections[0].checks;
  const draft = { name: "unposted name", text: "unposted text", checks: [check.id] };
  const { body } = await ask(alice, "POST /incidents", { ...draft, published: false });
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "identified", text: "unposted too" });
  assert.deepEqual(await all(), before);
  await ask(alice, `PUT /incidents/${body._id}`, { published: true });
  for (const path of ["", "feed.atom", "feed.rss", "feed.json"])
    assert.match((await open(`/status/shop/${path}`)).body, /unposted name/);
});

test("a check that an incident affects is named as the page names it, and is not said to be operational", async () => {
  const { fixture, open, page } = await withPage();
  await using _ = fixture;
  const { ask, alice } = fixture;
  const ids = page.sections.flatMap(({ checks }: { checks: readonly { id: string }[] }) =>
    checks.map(({ id }) => id),
  );
  const states = async () => {
    const { state, sections } = (await open("/status/shop/status.json")).json();
    return [state, ...sections.map((section: { readonly state: string }) => section.state)];
  };
  const usual = ["partly", "operational", "down"];
  assert.deepEqual(await states(), usual);
  const checks = [...ids, `${alice.account.id}-OTHER`];
  const { body } = await ask(alice, "POST /incidents", { name: "Slow", checks });
  assert.deepEqual(await states(), ["partly", "partly", "down"]);
  const shown = (await open("/status/shop")).body;
  assert.match(shown, /Affected: Home page, Payments</);
  assert.match(shown, /Some of it is down/);
  const section = /<h2[^>]*>\s*<span>Web<\/span>(.*?)<\/h2>/s.exec(shown)?.[1] ?? "";
  assert.match(section, /Affected/);
  assert.doesNotMatch(shown, /private/);
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "monitoring" });
  assert.deepEqual(await states(), usual);
  await ask(alice, `DELETE /incidents/${body._id}`);
  const planned = { name: "Work", kind: "maintenance", checks };
  const { body: work } = await ask(alice, "POST /incidents", planned);
  assert.deepEqual(await states(), usual);
  await ask(alice, `PUT /incidents/${work._id}`, { stage: "inprogress" });
  assert.deepEqual(await states(), ["partly", "maintenance", "down"]);
});

test("feeds have every update, the newest first, under an id that stays", async () => {
  const { fixture, open } = await withIncidents();
  await using _ = fixture;
  const address = "http://watchpost.example/status/shop";
  const { body: atom, headers } = await open("/status/shop/feed.atom");
  assert.equal(headers["content-type"], "application/atom+xml; charset=utf-8");
  assert.deepEqual(textsOf(atom, "title"), [
    "Shop &lt;b&gt;",
    "Investigating: Payments fail &amp; more",
    "Resolved: Past &lt;i&gt;",
    "Investigating: Past &lt;i&gt;",
  ]);
  const [feedId, ...ids] = textsOf(atom, "id");
  assert.equal(feedId, address);
  assert.equal(new Set(ids).size, 3);
  assert.match(
    atom,
    /<content type="html">&lt;p&gt;&lt;strong&gt;fine&lt;\/strong&gt; &amp;lt;script&amp;gt;/,
  );
  const { body: rss } = await open("/status/shop/feed.rss");
  assert.deepEqual(textsOf(rss, "pubDate")[0], "Mon, 05 Jan 2026 12:16:00 GMT");
  const feed = (await open("/status/shop/feed.json")).json();
  assert.equal(feed.version, "https://jsonfeed.org/version/1.1");
  assert.deepEqual(
    feed.items.map(({ id }: { readonly id: string }) => id),
    ids,
  );
  assert.deepEqual(textsOf(rss, 'guid isPermaLink="false"'), ids);
  const { body: all } = await fixture.ask(fixture.alice, "GET /incidents");
  const past = Object.keys(all).find((id) => all[id].name.startsWith("Past"));
  await fixture.ask(fixture.alice, `PUT /incidents/${past}`, { update: 0, delete: true });
  const { body: shorter } = await open("/status/shop/feed.atom");
  assert.deepEqual(textsOf(shorter, "id"), [feedId, ...ids.slice(0, 2)]);
  assert.equal((await open("/status/shop")).body.match(/<strong class="partly">/g)?.length, 1);
  for (const text of [atom, rss]) assertWellFormed(text);
});

function textsOf(xml: string, element: string): readonly string[] {
  const [name = ""] = element.split(" ");
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${name}\\s*>`, "g"));
  return Array.from(found, ([, text = ""]) => text);
}

/** Every element ends, and in order. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [, end, name = "", alone] of xml.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)\s*>/g)) {
    if (end === "/") assert.equal(open.pop(), name);
    else if (alone === "") open.push(name);
  }
  assert.deepEqual(open, []);
}
