import type { Bus, Job, Report } from "../../src/bus/bus.ts";
import { createLocationVisibility } from "../../src/controller/confirm/location-visibility.ts";
import { createMassFailureGuard } from "../../src/controller/confirm/mass-failure-guard.ts";
import { createRunTick } from "../../src/controller/confirm/run-tick.ts";
import { failed, passed, type Outcome } from "../../src/domain/run/outcome.ts";
import { withRunRevision, type Check } from "../../src/domain/check.ts";
import type { Region } from "../../src/domain/location.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createScheduler } from "../../src/controller/scheduler/scheduler.ts";
import type { StoredResult } from "../../src/store/results.ts";
import type { Store } from "../../src/store/store.ts";
import { fakeClock, type FakeClock } from "../time/fake-clock.ts";
import { stepUntil } from "../time/wait-for.ts";
import { aCheck, aContact, alice } from "../record-builders.ts";
import { quietBus } from "./quiet-bus.ts";
import { advanceWithDisk, countWrites } from "../stores/count-writes.ts";
import { tempStore } from "../stores/temp-store.ts";
import { noHostLimits, type HostLimits } from "../../src/kit/concurrency/host-limiter.ts";

/** How a location replies to a job: with an outcome, with a whole report, or not at all. */
export type LocationReply = (job: Job) => Outcome | Report | Promise<Report> | undefined;

export const up: Outcome = passed("200", "Success", { address: "127.0.0.1" });
export const down: Outcome = {
  ...failed("refused", "error", "Error: connection refused"),
  address: "127.0.0.1",
};

/** The real store, bus, verdicts and scheduler on a clock that is moved by hand; only the replies of the locations are the test's. */
export async function schedulerHarness(
  locations: Readonly<Record<string, LocationReply>>,
  options: {
    readonly region?: Region;
    readonly isPublic?: (address: string) => boolean;
    readonly hostLimits?: HostLimits;
    /** The store as the parts under test see it. */
    readonly wrap?: (store: Store) => Store;
    /** The clock as the scheduler sees it. */
    readonly wrapClock?: (clock: FakeClock) => FakeClock;
  } = {},
) {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const writes = countWrites(store);
  const wrapped = options.wrap?.(writes.store) ?? writes.store;
  const advance = advanceWithDisk(clock, writes.pending);
  const bus = quietBus(clock);
  store.changes.subscribe(bus.changes.publish);
  const jobs: { readonly location: string; readonly job: Job; readonly at: number }[] = [];
  for (const [code, reply] of Object.entries(locations)) serve(bus, code, reply);
  let flips = 0;
  const warnings: string[] = [];
  const { isPublic = (address: string) => !address.startsWith("127.") } = options;
  const egress = { isPublic };
  const flipped = (): void => {
    flips += 1;
  };
  const ids = createIds();
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  const sight = createLocationVisibility({
    store: wrapped,
    bus,
    egress,
    clock,
    log,
    meter: noMeter,
  });
  bus.changes.subscribe(sight.forget);
  const gone = new Set<string>();
  const isHere = ({ code }: { readonly code: string }): boolean => !gone.has(code);
  const presence: Bus["presence"] = {
    ...bus.presence,
    live: (type) => bus.presence.live(type).filter(isHere),
  };
  const runTick = createRunTick({
    store: wrapped,
    bus: { ...bus, presence },
    massFailureGuard: createMassFailureGuard(clock),
    sight,
    egress,
    flipped,
    ids,
    clock,
    log,
    meter: noMeter,
  });
  const scheduler = createScheduler({
    store: wrapped,
    bus,
    runTick,
    hostLimits: options.hostLimits ?? noHostLimits,
    clock: options.wrapClock?.(clock) ?? clock,
    log: silentLog,
    meter: noMeter,
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  function serve(on: Bus, code: string, reply: LocationReply): void {
    const runJob = (job: Job): Promise<Report> => {
      jobs.push({ location: code, job, at: clock.now() });
      const found = reply(job);
      if (found === undefined) return new Promise(() => {});
      return Promise.resolve(
        found instanceof Promise || "error" in found || "outcome" in found
          ? found
          : { startOffsetMs: 0, endOffsetMs: 12, outcome: found, connectivityConfirmed: false },
      );
    };
    on.serve({ code, region: options.region }, { runJob, runDiagnostics: async () => [] });
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const stopped = running?.then(() => true) ?? Promise.resolve(true);
    await stepUntil("the scheduler stops", async () => {
      await advance(500);
      return Promise.race([stopped, Promise.resolve(false)]);
    });
  }

  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("CONTACT"));
  });

  return {
    clock: { ...clock, advance },
    store,
    bus,
    jobs,
    scheduler,
    sight,
    flips: () => flips,
    /** Has a location be live no longer. */
    leave: (code: string): void => void gone.add(code),
    /** The events that verdicts warned with. */
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
      const next = { ...check, ...changes, modifiedAt: clock.now() };
      const revision = check.revision + 1;
      const changed = { ...withRunRevision(check, next), revision, ...changes };
      await store.write((tx) => tx.checks.update(changed, clock.now()));
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
        to: Number.MAX_SAFE_INTEGER,
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
      return stepUntil(what, async () => {
        const found = await look();
        if (found === undefined || found === false) await advance(100);
        return found;
      });
    },
    stop,
    async [Symbol.asyncDispose](): Promise<void> {
      await stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
