import assert from "node:assert/strict";
import { test } from "node:test";

import { createSessionCookie } from "../../kit/http/session-cookie.ts";
import { createSessionAdmin } from "../../store/transactions/session-admin.ts";
import { sessionLifetimes } from "../../../test/api-fixture.ts";
import { own, withPage } from "../../../test/harnesses/status-page-harness.ts";
import { minute } from "../../../test/record-builders.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");

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
    "Payments is down",
    "Home page",
    "Payments",
    "66.66% uptime since 5 January 2026",
    "5 January 2026: down for 5 min",
  ])
    assert.ok(body.includes(words), words);
  assert.doesNotMatch(body, /<script| style=| on\w+=|<b>|<i>/);
});

test("the bar of a day is graded by how long the check was down", async () => {
  const { fixture, open } = await withPage();
  await using _ = fixture;
  const bars = async () =>
    Array.from(
      (await open("/status/shop")).body.matchAll(/<path class="(\w+)"/g),
      ([, tone]) => tone,
    );
  assert.deepEqual(new Set(await bars()), new Set(["unknown", "up", "minor"]));
  await fixture.clock.advance(30 * minute);
  assert.deepEqual(new Set(await bars()), new Set(["unknown", "up", "moderate"]));
  await fixture.clock.advance(5 * 60 * minute);
  assert.deepEqual(new Set(await bars()), new Set(["unknown", "up", "down"]));
});

test("integrations of the original service read the checks of a page", async () => {
  const { fixture, page, open } = await withPage();
  await using _ = fixture;
  const { jobs } = (await open(`/reports/statusevents/${page._id}/listchecks`)).json();
  assert.deepEqual(
    jobs.map(({ label, status, uptime }: Record<string, never>) => [label, status, uptime]),
    [
      // Days before the checks were created have no data.
      ["Home page", "up", { "2026-01-05": { uptime: 100 }, total: { uptime: 100 } }],
      ["Payments", "down", { "2026-01-05": { uptime: 66.666 }, total: { uptime: 66.666 } }],
    ],
  );
});

// guard: checks of the account on its pages
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
  assert.match(body, /lang="de".*Teilweise ausgefallen|lang="de"[\s\S]*Payments ist ausgefallen/);
});

// guard: passwords of status pages
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

// guard: attempts at passwords of status pages
test("passwords of pages can be tried so often", async () => {
  const { fixture, post } = await withPage({ access: "password", password: "correct horse" }, 2);
  await using _ = fixture;
  const statuses = [];
  for (const word of ["one horse", "two horse", "correct horse"])
    statuses.push((await post("/status/shop", word)).statusCode);
  // The right one comes too late.
  assert.deepEqual(statuses, [403, 403, 403]);
});

// guard: people of the account
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

test("a proxy can ask for which domains to get a certificate", async () => {
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
