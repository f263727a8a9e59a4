import { createDispatch } from "../src/bus/dispatch.ts";
import { createMemoryBus } from "../src/bus/memory/memory-bus.ts";
import type { Bus, Job, Report } from "../src/bus/bus.ts";
import { createMassFailureGuard } from "../src/confirm/mass-failure-guard.ts";
import { createResolveTick } from "../src/confirm/resolve-tick.ts";
import { failed, passed } from "../src/domain/outcome.ts";
import type { Outcome } from "../src/domain/outcome.ts";
import type { Check } from "../src/domain/check.ts";
import type { Region } from "../src/domain/location.ts";
import { createIds } from "../src/kit/ids.ts";
import { silentLog } from "../src/kit/log.ts";
import { noMeter } from "../src/kit/meter.ts";
import { createScheduler } from "../src/scheduler/scheduler.ts";
import type { StoredResult } from "../src/store/results.ts";
import type { Store } from "../src/store/store.ts";
import { fakeClock } from "./fake-clock.ts";
import { waitFor } from "./wait-for.ts";
import { aCheck, aContact, alice } from "./record-builders.ts";
import { tempStore } from "./temp-store.ts";

/** What a location of the field answers to a job: an outcome, trouble, or nothing at all. */
export type LocationReply = (
  job: Job,
) => Outcome | Pick<Extract<Report, { trouble: unknown }>, "trouble" | "message"> | undefined;

export const up: Outcome = passed("200", "Success", { address: "127.0.0.1" });
export const down: Outcome = {
  ...failed("refused", "error", "Error: connection refused"),
  address: "127.0.0.1",
};

/** The real store, bus, dispatch, verdicts and scheduler on a clock that is moved by hand; only what the locations answer is told by the test. */
export async function schedulerHarness(
  locations: Readonly<Record<string, LocationReply>>,
  options: {
    readonly region?: Region;
    /** The store as the parts under test see it. */
    readonly wrap?: (store: Store) => Store;
  } = {},
) {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const wrapped = options.wrap?.(store) ?? store;
  const bus = createMemoryBus();
  store.changes.subscribe(bus.changes.publish);
  const jobs: { readonly location: string; readonly job: Job; readonly at: number }[] = [];
  for (const [code, answer] of Object.entries(locations)) serve(bus, code, answer);
  const dispatch = createDispatch({ bus, clock, onUnknown() {} });
  let flips = 0;
  const warnings: string[] = [];
  const egress = { isPublic: (address: string) => !address.startsWith("127.") };
  const flipped = (): void => {
    flips += 1;
  };
  const ids = createIds();
  const settle = createResolveTick({
    store: wrapped,
    dispatch,
    breaker: createMassFailureGuard(clock),
    egress,
    flipped,
    ids,
    clock,
    log: { ...silentLog, warn: (event) => void warnings.push(event) },
    meter: noMeter,
  });
  const scheduler = createScheduler({
    store: wrapped,
    bus,
    dispatch,
    settle,
    clock,
    log: silentLog,
    meter: noMeter,
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  function serve(on: Bus, code: string, answer: LocationReply): void {
    on.jobs.serve({ code, region: options.region }, (job) => {
      jobs.push({ location: code, job, at: clock.now() });
      const found = answer(job);
      if (found === undefined) return new Promise(() => {});
      const head = { jobId: job.id, location: code };
      return Promise.resolve(
        "trouble" in found
          ? { ...head, ...found }
          : { ...head, startOffsetMs: 0, endOffsetMs: 12, outcome: found, vouched: false },
      );
    });
  }

  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("CONTACT"));
  });

  return {
    clock,
    store,
    bus,
    jobs,
    scheduler,
    flips: () => flips,
    /** What verdicts warned of. */
    warnings,
    /** Adds an enabled check and lets it begin. */
    async add(id: string, changes: Partial<Check> = {}): Promise<number> {
      const check = {
        ...aCheck(id, { notifications: [{ CONTACT: "All" }], ...changes }),
        createdAt: clock.now(),
      };
      const { no } = await store.write((tx) => tx.checks.insert(check));
      bus.changes.publish({ accountId: check.accountId, checkNo: no });
      return no;
    },
    async change(id: string, changes: Partial<Check>): Promise<void> {
      const record = await store.checks.find(alice.id, id);
      if (record === undefined) throw new Error(`no check ${id}`);
      const { check } = record;
      await store.write((tx) =>
        tx.checks.update({ ...check, revision: check.revision + 1, ...changes }, clock.now()),
      );
      bus.changes.publish({ accountId: check.accountId, checkNo: check.no });
    },
    start(): void {
      running = scheduler.run(stopping.signal);
    },
    async results(checkNo: number): Promise<readonly StoredResult[]> {
      const found: StoredResult[] = [];
      for await (const page of store.results.page({
        checkNo,
        from: 0,
        to: clock.now() + 1e6,
        limit: 1000,
        order: "oldest",
      }))
        found.push(...page);
      return found;
    },
    /** Moves the clock in small steps until it has come about. */
    async until<Value>(
      what: string,
      look: () => Promise<Value | undefined | false> | Value | undefined | false,
    ): Promise<Value> {
      return waitFor(what, async () => {
        const found = await look();
        if (found === undefined || found === false) await clock.advance(100);
        return found;
      });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stopping.abort();
      const stopped = running?.then(() => true) ?? Promise.resolve(true);
      await waitFor("the scheduler stops", async () => {
        await clock.advance(500);
        return Promise.race([stopped, Promise.resolve(false)]);
      });
      await store[Symbol.asyncDispose]();
    },
  };
}
