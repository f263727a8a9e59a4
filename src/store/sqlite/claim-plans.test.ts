import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAlert,
  minute,
  noon,
} from "../../../test/record-builders.ts";
import { fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import type { NewBundle } from "../tables/alerts.ts";
import { createUnitQueries } from "../tables/queries.ts";
import { kyselyOver } from "./dialect.ts";
import { createSqliteEngine } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { prepareDatabase } from "./open-database.ts";

const sealer = createSealer(randomBytes(32));
const grouping = new Map([["email", { waitMs: minute, alerts: "all" as const }]]);
const wording = { kind: "down", to: "", from: "", subject: "", body: "", network: "" } as const;
const addressIds = ["mail", "post", "hook"];

function queriesOver(database: DatabaseSync, clock: FakeClock) {
  return createUnitQueries(kyselyOver(database), {
    engine: createSqliteEngine(clock),
    sealer,
    maxEvidenceBytes: 0,
    latestResults: () => Promise.resolve(new Map()),
  });
}

type Queries = ReturnType<typeof queriesOver>;

/** An alert to each of the addresses, about each of three checks. */
async function fill({ accounts, alerts, checks, contacts }: Queries): Promise<void> {
  await accounts.insert(alice);
  const kinds = { mail: "email", post: "email", hook: "webhook" } as const;
  const addresses = Object.entries(kinds).map(([id, kind]) => anAddress(id, { kind }));
  await contacts.insert(aContact("ann", { addresses }));
  for (const name of ["one", "two", "three"]) {
    const check = await checks.insert(aCheck(name));
    for (const addressId of addressIds)
      await alerts.insert(anAlert(`${name}-${addressId}`, check, { contactId: "ann", addressId }));
  }
}

/** Finds, claims, bundles and claims again, with and without ids: every statement that these can execute. */
async function claimAll({ alerts }: Queries, clock: FakeClock): Promise<void> {
  const options = { leaseMs: minute, grouping, maxGrouped: 2 };
  await alerts.msUntilDue();
  await alerts.listQueued(9);
  await alerts.walkQueues({ limit: 9 });
  await alerts.listDue(9, ["one-mail", "one-post"]);
  const first = await alerts.claim({ ...options, limit: 2, ids: ["one-mail", "one-post"] });
  const members: NewBundle["members"] = first
    .filter(({ addressId }) => addressId === "mail")
    .map(({ id, attempts }) => ({ alertId: id, attempt: attempts, wording }));
  assert.ok(members.length > 1);
  await alerts.bundle({ id: "bundle", accountId: alice.id, message: "", members });
  // Others to the address wait to be grouped with what was just sent.
  await alerts.claim({ ...options, limit: 9 });
  await clock.advance(2 * minute);
  const again = await alerts.claim({ ...options, limit: 9, ids: ["one-mail"] });
  assert.equal(again.filter(({ bundle }) => bundle === "bundle").length, members.length);
}

/** How the database executes each statement that is prepared meanwhile. */
async function plansOf(database: DatabaseSync, work: () => Promise<unknown>) {
  const statements = new Set<string>();
  const prepare = database.prepare.bind(database);
  database.prepare = (statement) => {
    statements.add(statement);
    return prepare(statement);
  };
  await work();
  return [...statements].map((statement) => ({
    statement,
    steps: prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
      .map(({ detail }) => String(detail)),
  }));
}

test("a page of active checks is read from where it begins, without sorting all that follow", async () => {
  using database = new DatabaseSync(":memory:");
  migrate(database);
  const queries = queriesOver(database, fakeClock(noon));
  await fill(queries);
  const plans = await plansOf(database, () => Array.fromAsync(queries.checks.listActive()));
  const reads = plans.filter(({ statement }) => statement.includes(`"active_since"`));
  assert.equal(reads.length, 1);
  for (const step of reads.flatMap(({ steps }) => steps))
    assert.doesNotMatch(step, /^SCAN|TEMP B-TREE/);
});

// guard: finding due alerts by an index
test("no statement that finds or claims alerts reads all of them, even after an ANALYZE when there were few", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "watchpost-"));
  const path = join(folder.path, "watchpost.db");
  const clock = fakeClock(noon);
  {
    using small = new DatabaseSync(path);
    migrate(small);
    await fill(queriesOver(small, clock));
    small.exec("ANALYZE");
  }
  {
    using opened = new DatabaseSync(path);
    prepareDatabase(opened, { path, directory: folder.path, sealer });
  }
  using database = new DatabaseSync(path);
  const plans = await plansOf(database, () => claimAll(queriesOver(database, clock), clock));
  for (const start of ['update "alerts" set "lease_until"', 'update "alerts" set "next_'])
    assert.ok(
      plans.some(({ statement }) => statement.startsWith(start)),
      start,
    );
  assert.ok(plans.length > 12, String(plans.length));
  for (const { statement, steps } of plans) {
    for (const step of steps) {
      // The walk is a table of its own, with a row a queue; recent sends are those of the last seconds.
      assert.doesNotMatch(step, /^SCAN (?!walk|found|recent_sends|CONSTANT)/, statement);
      assert.doesNotMatch(step, /ANY\(/, statement);
    }
  }
});
