import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";
import { z } from "zod";

import { createApiFixture, type ApiFixture } from "../../api-fixture.ts";
import { httpServer } from "../../harnesses/http-server.ts";
import { randomNumbers } from "../../fuzz/random-numbers.ts";
import { aCheck, aFlip, aResult, minute } from "../../record-builders.ts";
import { openContext } from "../../servers/chromium.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import { faultsInAllLooks, faultsOf } from "../dashboard/dashboard.ts";

const DAY_MS = 86_400_000;
const DAYS = 90;
const CHECKS = 50;
const MAX_BYTES = 10_000;

/** Creates a page of fifty checks after ninety days, with one outage among every twenty-five. */
async function afterThreeMonths() {
  const fixture = await createApiFixture();
  const { store, clock, alice, ask } = fixture;
  const random = randomNumbers(7);
  const began = clock.now();
  const checks = await store.write(async (tx) => {
    const made = [];
    for (let index = 0; index < CHECKS; index += 1)
      made.push(
        await tx.checks.insert(
          aCheck(`C${index}`, {
            accountId: alice.account.id,
            id: `${alice.account.id}-C${index}`,
            uuid: `4pybhg6m-4v1y-4enn-8tz5-tvywydu6h0${10 + index}`,
            public: true,
            createdAt: began,
          }),
        ),
      );
    for (const [index, { no }] of made.entries()) {
      let at = began;
      const turn = (to: "failing" | "passing", from: "failing" | "passing" | undefined) =>
        tx.states.flip(aFlip(no, { id: `flip-${no}-${at}`, from, to, at, since: at }));
      await turn("passing", undefined);
      for (let day = 1; day < DAYS - 1; day += 1) {
        if (random() > 0.04) continue;
        at = began + day * DAY_MS;
        await turn("failing", "passing");
        at += Math.ceil(random() * 200) * minute;
        await turn("passing", "failing");
      }
      if (index !== 3) continue;
      at = began + (DAYS - 1) * DAY_MS;
      await turn("failing", "passing");
    }
    return made;
  });
  await clock.advance((DAYS - 1) * DAY_MS + 40 * minute);
  for (const { no } of checks.slice(0, 3))
    for (let hour = 24; hour > 0; hour -= 1)
      for (const slower of [1, 1.1, 1.6]) {
        const startedAt = clock.now() - hour * 60 * minute + slower * minute;
        const runtimeMs = 180 * slower * (1 + random() / 2);
        if (hour !== 9) await store.append(aResult(no, startedAt, { runtimeMs }));
      }
  const named = checks.map(({ id }, index) => ({ id, name: `Service number ${index + 1}` }));
  const { status, text } = await ask(alice, "POST /statuspages", {
    name: "Shop & friends",
    slug: "shop",
    color: "#1d4ed8",
    timezone: "Europe/Berlin",
    intro: "How everything is that **you** use. [Write to us](mailto:help@example.com)",
    footer: "Nobody reads this.",
    sections: [
      { name: "Web", checks: named.slice(0, 3) },
      { name: "Payments", checks: named.slice(3, 8) },
      { name: "Everything else", checks: named.slice(8) },
    ],
  });
  assert.equal(status, 200, text);
  const timed = await ask(alice, "POST /statuspages", {
    name: "Shop with charts",
    slug: "charts",
    charts: "24h",
    sections: [{ name: "Web", checks: named.slice(0, 4) }],
  });
  assert.equal(timed.status, 200, timed.text);
  await postIncidents(fixture);
  const server = httpServer({ deps: fixture.deps });
  return {
    fixture,
    server,
    address: await server.listen({ port: 0, host: "127.0.0.1" }),
    uuid: checks[3]?.uuid ?? "",
  };
}

/** One that is open, one that is planned, and one that is over. */
async function postIncidents({ ask, alice, clock }: ApiFixture): Promise<void> {
  const past = { name: "Slow answers", text: "Some requests take **seconds**." };
  const { body } = await ask(alice, "POST /incidents", past);
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "resolved", text: "- fixed\n- watched" });
  const text = "The provider of payments does not answer. `HTTP 503`";
  const { body: open } = await ask(alice, "POST /incidents", { name: "Payments fail", text });
  await ask(alice, `PUT /incidents/${open._id}`, { stage: "identified", text: "It is theirs." });
  const start = clock.now() + DAY_MS;
  const end = start + 60 * minute;
  await ask(alice, "POST /incidents", { name: "New database", kind: "maintenance", start, end });
}

const instant = z.iso.datetime();
const address = z.url();
/** https://www.jsonfeed.org/version/1.1/: what it requires, and what is there. */
const jsonFeed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: address,
  feed_url: address,
  language: z.string(),
  items: z.array(
    z.strictObject({
      id: address,
      url: address,
      title: z.string(),
      content_html: z.string(),
      date_published: instant,
    }),
  ),
});

/** A browser's own parser reads the feeds, which have what RSS 2.0 and RFC 4287 require. */
async function assertFeeds(page: Page, base: string): Promise<void> {
  const read = async (file: string) => (await fetch(`${base}/${file}`)).text();
  const { items } = jsonFeed.parse(JSON.parse(await read("feed.json")));
  const textsOf = async (file: string, selectors: readonly string[]): Promise<string[][]> =>
    page.evaluate(
      `(([xml, selectors]) => {
        const parsed = new DOMParser().parseFromString(xml, "application/xml");
        if (parsed.querySelector("parsererror")) throw new Error(parsed.documentElement.textContent);
        return selectors.map((each) => [...parsed.querySelectorAll(each)].map((one) => one.textContent));
      })(${JSON.stringify([await read(file), selectors])})`,
    );
  const atom = await textsOf("feed.atom", [
    "feed > id",
    "feed > title",
    "feed > updated",
    "feed > author > name",
    "entry > id",
    "entry > title",
    "entry > updated",
    "entry > content",
  ]);
  assert.deepEqual(
    atom.map(({ length }) => length),
    [1, 1, 1, 1, ...[1, 2, 3, 4].map(() => items.length)],
  );
  for (const updated of [...(atom[2] ?? []), ...(atom[6] ?? [])]) instant.parse(updated);
  assert.deepEqual(
    atom[4],
    items.map(({ id }) => id),
  );
  const rss = await textsOf("feed.rss", [
    "rss[version='2.0'] > channel > title",
    "channel > link",
    "channel > description",
    "item > title",
    "item > guid",
    "item > pubDate",
    "item > description",
  ]);
  assert.deepEqual(
    rss.map(({ length }) => length),
    [1, 1, 1, ...[1, 2, 3, 4].map(() => items.length)],
  );
  for (const [index, date] of (rss[5] ?? []).entries())
    assert.equal(
      new Date(date).toISOString().slice(0, 19),
      items[index]?.date_published.slice(0, 19),
    );
}

test("a page of fifty checks is small, and can be read by everybody without a script, as can the report of a check", async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, server, address, uuid } = await afterThreeMonths();
  stack.use(fixture);
  stack.defer(() => server.close());
  const { rawPayload, headers } = await server.inject({
    url: "/status/shop",
    headers: { "accept-encoding": "br" },
  });
  assert.equal(headers["content-encoding"], "br");
  assert.ok(rawPayload.length <= MAX_BYTES, `${rawPayload.length} bytes`);
  const context = await openContext(await sharedChromium(), { locale: "en-GB" });
  stack.defer(() => context.close());
  const page = await context.newPage();
  const faults = faultsOf(page);
  await page.goto(`${address}/status/shop`);
  await page.getByText("Service number 4 is down").waitFor();
  await page.getByText("days with downtime").first().click();
  assert.deepEqual(await faultsInAllLooks(page, "status-page"), []);
  await assertFeeds(page, `${address}/status/shop`);
  await page.goto(`${address}/status/charts`);
  await page.getByText("Response times of the last 24 hours").first().click();
  assert.deepEqual(await faultsInAllLooks(page, "status-page-charts"), []);
  await page.goto(`${address}/reports/checks/${uuid}`);
  assert.deepEqual(await faultsInAllLooks(page, "check-report"), []);
  await fixture.ask(fixture.alice, "POST /statuspages", {
    name: "Secret",
    slug: "secret",
    access: "password",
    password: "correct horse",
  });
  await page.goto(`${address}/status/secret`);
  assert.deepEqual(await faultsInAllLooks(page, "status-page-password"), []);
  await page.getByLabel("Password").fill("wrong horse");
  await page.getByRole("button", { name: "Show the page" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Show the page" }).click();
  await page.getByRole("heading", { name: "Secret" }).waitFor();
  assert.deepEqual(faults, []);
});
