import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { systemClock } from "../src/kit/clock.ts";
import type { Store } from "../src/store/store.ts";
import { aCheck, alice, anAlert } from "../test/record-builders.ts";
import { dataFolder, median, openStore } from "./fixture.ts";

const FEW = 10;
const MANY = 1_000_000;
const DUE = 10;
const LOOKS = 20;
/** As many as the notifier looks at. */
const OLDEST = 256;
const LEASE_MS = 90_000;

interface Scene extends AsyncDisposable {
  readonly store: Store;
  readonly execute: (statement: string) => Promise<unknown>;
}

/** What it costs to find and claim ten due alerts, with 10 that wait beside them and with 1,000,000: not due yet, or due to destinations that hang. */
export async function benchDue(): Promise<string> {
  const rows: string[] = [];
  for (const waiting of ["later", "due to others"] as const) {
    await using scene = await openSqlite();
    await prepare(scene);
    const few = await measure(scene, FEW, waiting);
    const many = await measure(scene, MANY, waiting);
    const cells = (["find", "walk", "claim"] as const).map(
      (name) =>
        `${few[name].toFixed(2)} | ${many[name].toFixed(2)} | ${(many[name] / few[name]).toFixed(1)}`,
    );
    rows.push(`| ${waiting} | ${cells.join(" | ")} |`);
  }
  return [
    `Due alerts: ms with ${FEW} and with ${MANY} more alerts that wait, and the ratio; medians of ${LOOKS}`,
    "",
    "| the others are | find the oldest | | ratio | walk the queues | | ratio | claim | | ratio |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

async function prepare({ store }: Scene): Promise<void> {
  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.checks.insert(aCheck("check"));
  });
}

/** Waiting alerts to a thousand destinations, each about a check of its own. */
async function fillWaiting({ execute }: Scene, count: number, dueAt: number): Promise<void> {
  await execute("DELETE FROM alerts");
  await execute(`
    INSERT INTO alerts (id, flip_id, account_id, check_no, check_id, kind, contact_id, address_id,
      schedule, notice, created_at, due_at, status, attempts, next_attempt_at, possibly_sent, destination)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    SELECT 'waiting-' || n, 'flip-' || n, '${alice.id}', n, 'check', 'down', 'contact', 'address',
      'All', '{}', ${dueAt}, ${dueAt}, 'waiting', 0, ${dueAt}, 0, 'webhook ' || (n % 1000) FROM numbers`);
  await execute("ANALYZE");
}

async function measure(
  scene: Scene,
  count: number,
  waiting: "later" | "due to others",
): Promise<Readonly<Record<"find" | "walk" | "claim", number>>> {
  const { store } = scene;
  const now = systemClock.now();
  await fillWaiting(scene, count, waiting === "later" ? now + 24 * 3_600_000 : now - 1000);
  const [find, walk, claim]: [number[], number[], number[]] = [[], [], []];
  const check = { no: MANY + 1, id: "check", accountId: alice.id };
  for (let look = 0; look < LOOKS; look += 1) {
    const ids = Array.from(
      { length: DUE },
      (_, index) => `due-${count}-${waiting}-${look}-${index}`,
    );
    await store.write(async ({ alerts }) => {
      for (const id of ids)
        await alerts.insert(anAlert(id, check, { addressId: id, dueAt: now - 500 }));
    });
    find.push(
      await timeOf(async () => {
        await store.alerts.msUntilDue();
        await store.alerts.listQueued(OLDEST);
      }),
    );
    walk.push(await timeOf(() => store.alerts.walkQueues({ limit: OLDEST })));
    const limit = ids.length;
    claim.push(
      await timeOf(() =>
        store.write(({ alerts }) => alerts.claim({ leaseMs: LEASE_MS, limit, ids })),
      ),
    );
    await store.write(async ({ alerts }) => {
      for (const id of ids) await alerts.finishAttempt(id, { status: "delivered", at: now });
    });
  }
  return { find: median(find), walk: median(walk), claim: median(claim) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function openSqlite(): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await dataFolder());
  const store = await openStore(folder);
  stack.defer(() => store.close());
  const database = new DatabaseSync(join(folder.path, "watchpost.db"));
  stack.defer(() => database.close());
  return {
    store,
    execute: (statement) => Promise.resolve(database.exec(statement)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
