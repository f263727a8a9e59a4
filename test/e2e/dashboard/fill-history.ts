import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Check } from "../../../src/domain/check.ts";
import { createSealer } from "../../../src/kit/crypto/seal.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { openSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { randomNumbers } from "../../fuzz/random-numbers.ts";
import { aFlip, anAlert, aResult } from "../../record-builders.ts";
import { fakeClock } from "../../time/fake-clock.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Data written for a check while no program uses its data folder. */
interface Filled {
  readonly data: string;
  readonly accountId: string;
  readonly checkId: string;
  readonly days: number;
  readonly now: number;
  /** How many minutes are between two results. */
  readonly everyMinutes: number;
  /** In the middle of it and for the last hour, if missing. */
  readonly outages?: readonly Outage[];
}

/** Gives a disabled check a history and enables it, as if it had run for that many days. */
export async function fillHistory(filled: Filled): Promise<void> {
  const { data, accountId, checkId, days, now } = filled;
  const began = now - days * DAY_MS;
  moveBeginning(data, { checkId, began });
  const key = (await readFile(join(data, "instance.key"), "utf8")).trim();
  const clock = fakeClock(now);
  const store = await openSqliteStore({
    directory: data,
    clock,
    sealer: createSealer(Buffer.from(key, "hex")),
    log: silentLog,
  });
  const found = await store.checks.find(accountId, checkId);
  if (found === undefined) throw new Error(`there is no check ${checkId}`);
  const { check } = found;
  // In the morning, so that it is of one day.
  const dayOfMiddle = Math.floor(now / DAY_MS - days / 2) * DAY_MS;
  const middle = dayOfMiddle + 9 * HOUR_MS;
  const {
    outages = [
      { start: middle, end: middle + 3 * HOUR_MS },
      { start: now - HOUR_MS, end: undefined },
    ],
  } = filled;
  if (outages.every(({ start }) => start > began)) await addFirstPass(store, check, began);
  await addResults(store, check, { ...filled, began, outages });
  for (const outage of outages) await addOutage(store, check, outage);
  // Some minutes, so that results are compacted, and packed after that.
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await clock.advance(10 * MINUTE_MS);
    await store.runHousekeeping();
  }
  await store.close();
}

function moveBeginning(
  data: string,
  { checkId, began }: { readonly checkId: string; readonly began: number },
): void {
  using database = new DatabaseSync(join(data, "watchpost.db"));
  database
    .prepare("UPDATE checks SET created_at = ?, enabled = 1 WHERE id = ?")
    .run(began, checkId);
  database
    .prepare(
      "INSERT INTO spans (check_no, kind, start_at) SELECT no, 'enabled', ? FROM checks WHERE id = ?",
    )
    .run(began, checkId);
}

export interface Outage {
  readonly start: number;
  readonly end: number | undefined;
}

async function addResults(
  store: Store,
  { no, revision }: Check,
  {
    began,
    now,
    everyMinutes,
    outages,
  }: Filled & { readonly began: number; readonly outages: readonly Outage[] },
): Promise<void> {
  const random = randomNumbers(1);
  const waiting: Promise<unknown>[] = [];
  for (let at = began; at < now; at += everyMinutes * MINUTE_MS) {
    const isDown = outages.some(({ start, end = now }) => at >= start && at < end);
    const location = ["fra", "nyc", "syd"][Math.floor(random() * 3)] ?? "fra";
    const far = location === "syd" ? 150 : 0;
    // Slower by day than at night.
    const busy = 40 * (1 + Math.sin((at / DAY_MS) * 2 * Math.PI));
    const [dns, connect, tls] = [2 + random() * 4, 20 + far / 3, 50 + far / 2].map(tenths);
    const firstByte = tenths(70 + far + busy + random() * random() * 90);
    const total = tenths(firstByte + 4 + random() * 8);
    const timings = { dns: dns ?? 0, connect: connect ?? 0, tls: tls ?? 0, firstByte, total };
    const failure = { passed: false, reason: "status", text: "503" } as const;
    waiting.push(
      store.append(
        aResult(no, at, {
          revision,
          location,
          endedAt: at + Math.round(total),
          runtimeMs: Math.round(total),
          timings,
          text: "200",
          ...(isDown && {
            ...failure,
            message: "HTTP status returned: 503",
            earlierRuns: [[at - 2000, "nyc", false] as const],
          }),
        }),
      ),
    );
  }
  await Promise.all(waiting);
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

async function addFirstPass(store: Store, { no, revision }: Check, at: number): Promise<void> {
  const flip = { from: undefined, to: "passing", at, since: at, revision } as const;
  await store.write((tx) => tx.states.flip(aFlip(no, { id: `first-${no}`, ...flip })));
}

/** The check goes down, somebody is alerted, and the route to it is traced; then it may come up again. */
async function addOutage(store: Store, check: Check, { start, end }: Outage): Promise<void> {
  const { no, revision } = check;
  const { state } = await store.states.get(no);
  const id = `outage-${no}-${start}`;
  await store.write(async (tx) => {
    await tx.states.flip(
      aFlip(no, {
        id,
        from: state,
        to: "failing",
        at: start + 2000,
        since: start,
        revision,
        text: "503",
        message: "HTTP status returned: 503",
      }),
    );
    await tx.evidence.record({
      checkNo: no,
      startedAt: start,
      flipped: true,
      text: "HTTP/1.1 503 Service Unavailable\n\n<h1>The kitchen is on fire</h1>",
    });
    await tx.evidence.recordCertificate({
      checkNo: no,
      location: "fra",
      subject: "shop.example",
      issuer: "An Authority",
      observedAt: start,
      validTo: start + 200 * DAY_MS,
    });
    const alert = anAlert(`alert-${no}-${start}`, check, { createdAt: start + 2000, dueAt: start });
    await tx.alerts.insert(alert);
    await tx.alerts.setRendered(alert.id, {
      kind: "down",
      to: "ann@example.com",
      from: "watchpost@example.com",
      subject: "DOWN",
      body: "It is down.",
      network: "email",
    });
    await tx.alerts.finishAttempt(alert.id, { status: "delivered", at: start + 4000 });
    await tx.diagnostics.insert({
      id: `look-${no}-${start}`,
      accountId: check.accountId,
      checkNo: no,
      checkId: check.id,
      outage: id,
      location: "fra",
      createdAt: start + 2000,
    });
    const claimed = await tx.diagnostics.claim({ leaseMs: 1000 });
    const route = {
      tool: "route",
      about: "shop.example",
      text: "1  192.0.2.1  0.4 ms\n2  *",
    } as const;
    if (claimed !== undefined)
      await tx.diagnostics.finish(claimed, { at: start + 9000, findings: [route] });
  });
  if (end === undefined) return;
  await store.write((tx) =>
    tx.states.flip(
      aFlip(no, {
        id: `${id}-end`,
        from: "failing",
        to: "passing",
        at: end,
        since: end,
        revision,
        text: "200",
        message: "",
      }),
    ),
  );
}
