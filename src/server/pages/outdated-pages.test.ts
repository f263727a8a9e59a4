import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { aCheck, aFlip, minute } from "../../../test/record-builders.ts";
import { Unavailable } from "../../kit/errors.ts";

const uuid = "4pybhg6m-4v1y-4enn-8tz5-tvywydu6h04k";

/** A page of a check that is up, and a store that can be broken. */
async function withPage() {
  const fixture = await createApiFixture();
  const { store, clock, alice, ask, deps } = fixture;
  const id = `${alice.account.id}-SHOP`;
  const { no } = await store.write((tx) =>
    tx.checks.insert(
      aCheck("SHOP", { accountId: alice.account.id, id, uuid, label: "Shop", public: true }),
    ),
  );
  const at = clock.now();
  await store.write((tx) => tx.states.flip(aFlip(no, { id: "up", to: "passing", at, since: at })));
  for (const language of ["en", "de"]) {
    const sections = [{ name: "Web", checks: [{ id, name: "Home page" }] }];
    const page = { name: "Shop", slug: `shop-${language}`, language, timezone: "GMT", sections };
    assert.equal((await ask(alice, "POST /statuspages", page)).status, 200);
  }
  const broken: { reads: boolean; stoppedAt: number | undefined } = {
    reads: false,
    stoppedAt: undefined,
  };
  const failing = async (): Promise<never> => {
    throw new Unavailable("the store does not answer");
  };
  const statusPages = {
    ...store.statusPages,
    findShown: (...given: Parameters<typeof store.statusPages.findShown>) =>
      broken.reads ? failing() : store.statusPages.findShown(...given),
    shownStates: (...given: Parameters<typeof store.statusPages.shownStates>) =>
      broken.reads ? failing() : store.statusPages.shownStates(...given),
  };
  const checks = {
    ...store.checks,
    findPublic: (asked: string) => (broken.reads ? failing() : store.checks.findPublic(asked)),
  };
  const server = httpServer({
    deps: { ...deps, store: { ...store, statusPages, checks } },
    stoppedSince: () => broken.stoppedAt,
  });
  return {
    fixture,
    broken,
    open: (path: string) => server.inject({ url: path, headers: { host: "watchpost.example" } }),
  };
}

const shown = {
  "/status/shop-en": "As of 5 Jan 2026, 12:00 UTC, 4 min ago: nothing newer is known",
  "/status/shop-de": "Stand: 05.01.2026, 12:00 UTC (vor 4 Min.), Neueres ist nicht bekannt",
  "/status/shop-en/badge.svg": "Operational, 4 min ago",
  "/status/shop-en/badge.json": "Operational, 4 min ago",
  "/status/shop-en/status.json": '"asof":1767614400000',
  "/status/shop-en/feed.atom": "4 min ago",
  "/status/shop-en/feed.rss": "4 min ago",
  "/status/shop-en/feed.json": "4 min ago",
  [`/reports/checks/${uuid}`]: "4 min ago: nothing newer is known",
  [`/reports/badges/${uuid}/state.json`]: "Operational, 4 min ago",
};
/** The colours of what is up, and the word for programs. */
const current = /class="(?:state|sentence) up"|▲|#15713a|"state":"operational"/;

for (const trouble of ["cannot be read", "commits nothing"])
  // guard: age of what is shown
  test(`while the store ${trouble}, pages, badges and feeds say how old they are, and show nothing old as what is`, async () => {
    const { fixture, broken, open } = await withPage();
    await using _ = fixture;
    for (const path of Object.keys(shown)) assert.equal((await open(path)).statusCode, 200, path);
    assert.match((await open("/status/shop-en")).body, current);
    if (trouble === "cannot be read") broken.reads = true;
    else broken.stoppedAt = fixture.clock.monotonic();
    await fixture.clock.advance(4 * minute);
    for (const [path, words] of Object.entries(shown)) {
      const { statusCode, body, headers } = await open(path);
      assert.equal(statusCode, 200, path);
      assert.ok(body.includes(words), `${path}: ${/As of[^<]*|Stand[^<]*/.exec(body)?.[0]}`);
      assert.ok(!current.test(body.replace(/<style>.*<\/style>/, "")), path);
      assert.equal(headers["last-modified"], "Mon, 05 Jan 2026 12:00:00 GMT", path);
    }
    broken.reads = false;
    broken.stoppedAt = undefined;
    await fixture.clock.advance(minute);
    assert.match((await open("/status/shop-en")).body, current);
  });
