import assert from "node:assert/strict";
import { test } from "node:test";

import { withPage } from "../../../test/harnesses/status-page-harness.ts";
import { minute } from "../../../test/record-builders.ts";

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

test("an open incident decides the sentence of a page without checks, and nothing denies it", async () => {
  const { fixture, open } = await withPage({ sections: [] });
  await using _ = fixture;
  const { ask, alice } = fixture;
  const before = (await open("/status/shop")).body;
  assert.match(before, /There is no data/);
  assert.match(before, /Nothing was posted/);
  const { body } = await ask(alice, "POST /incidents", { name: "Slow" });
  const shown = (await open("/status/shop")).body;
  assert.match(shown, /class="sentence partly"[^]*There is an open incident/);
  assert.doesNotMatch(shown, /There is no data|Nothing was posted/);
  const { summary, state } = (await open("/status/shop/status.json")).json();
  assert.deepEqual(summary, { state: "partly", text: "There is an open incident" });
  assert.equal(state, "unknown");
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "resolved" });
  assert.match((await open("/status/shop")).body, /There is no data/);
});

for (const { names, language, sentence } of [
  { names: ["Payments"], language: "en", sentence: "Payments is down" },
  { names: ["Payments"], language: "de", sentence: "Payments ist ausgefallen" },
  { names: ["A", "B", "C"], language: "en", sentence: "A, B, and C are down" },
  { names: ["A", "B", "C"], language: "de", sentence: "A, B und C sind ausgefallen" },
  { names: ["A", "B", "C", "D"], language: "en", sentence: "Everything is down" },
] as const)
  test(`a page on which ${names.join()} are down says in ${language}: ${sentence}`, async () => {
    const { fixture, open, page, checks } = await withPage({ language });
    await using _ = fixture;
    const sections = [{ name: "", checks: names.map((name) => ({ id: checks.down.id, name })) }];
    const { status, body } = await fixture.ask(fixture.alice, `PUT /statuspages/${page._id}`, {
      sections,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok((await open("/status/shop")).body.includes(sentence));
  });

// guard: drafts of incidents
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
  assert.match(shown, /Payments is down/);
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
