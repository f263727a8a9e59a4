import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";

import type { Job, Report } from "../../src/bus/bus.ts";
import { channelsBy } from "../../src/channels/registry.ts";
import { failed, passed } from "../../src/domain/run/outcome.ts";
import type { Result } from "../../src/domain/run/result.ts";
import { DeliveryFailed, Unavailable } from "../../src/kit/errors.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import {
  acknowledgeOutage,
  withdrawAcknowledgement,
} from "../../src/store/transactions/acknowledge-outage.ts";
import { storeFolder } from "../stores/store-folder.ts";
import { waitFor } from "../time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../time/fake-clock.ts";
import { digestChannel, hookAddress, type Sender } from "../harnesses/notifier-harness.ts";
import { aCheck, aContact, alice, minute } from "../record-builders.ts";
import { quietBus } from "../harnesses/quiet-bus.ts";
import { startProcess, type SimulatedProcess } from "./simulated-process.ts";
import { readRows, type Rows } from "./rows.ts";

export type Step =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "target"; readonly check: string; readonly up: boolean }
  | {
      readonly do: "location";
      readonly location: string;
      /** `lying` fails whatever the target does. */
      readonly is: "well" | "offline" | "silent" | "lying";
    }
  | { readonly do: "store"; readonly commits: boolean }
  | {
      readonly do: "receiver";
      readonly is: "well" | "busy" | "unclear" | "gone" | "hanging";
    }
  | { readonly do: "acknowledge"; readonly check: string; readonly on: boolean }
  | { readonly do: "put"; readonly check: string }
  | { readonly do: "enable"; readonly check: string; readonly on: boolean }
  | { readonly do: "enable-all"; readonly on: boolean }
  /** Off and on again before anybody reads of the first. */
  | { readonly do: "blink-all" }
  | { readonly do: "remove"; readonly check: string }
  | { readonly do: "restart"; readonly crash: boolean };

/** One run, as the simulated location made it. */
export interface SimulatedRun {
  readonly process: number;
  readonly checkId: string;
  readonly revision: number;
  readonly tick: number;
  readonly location: string;
  readonly passed: boolean;
}

/** Somebody acknowledged an outage, or withdrew that. */
export interface SimulatedAcknowledgement {
  readonly outage: string;
  readonly at: number;
  readonly on: boolean;
}

export interface SimulatedSend {
  readonly at: number;
  readonly alertId: string;
  readonly message: string;
  /** Both are false also where the process ended before it could be stored. */
  readonly accepted: boolean;
  readonly mayBeTaken: boolean;
}

/** All there is to see when everything has been well for a while. */
export interface FinalState extends Rows, AsyncDisposable {
  readonly runs: readonly SimulatedRun[];
  readonly sends: readonly SimulatedSend[];
  readonly acknowledgements: readonly SimulatedAcknowledgement[];
  /** Results of all checks, in commit order. */
  readonly results: readonly Result[];
  /** Every check there ever was, by its number. */
  readonly known: ReadonlyMap<number, { readonly id: string; readonly rechecks: number }>;
  /** Whether the target of a check is up, by its id. */
  readonly targets: ReadonlyMap<string, boolean>;
}

export const benDelayMinutes = 2;
export const recipients = ["ann", "ben"] as const;
const RECHECKS = { hasty: 0, usual: 1, careful: 2 } as const;
/** Time after which messages sent while the store was unavailable are recorded, if possible. */
const CAUGHT_UP_AFTER_MS = 5000;
/** Long enough for most alerts to be sent in a digest. */
const GROUP_WAIT_MS = 45_000;
const LOCATIONS = ["aa", "bb", "cc"];

/** Takes the whole service but probes and channels through the steps, over a real store, and then lets everything be well. */
export async function simulate(steps: readonly Step[]): Promise<FinalState> {
  const clock = fakeClock();
  const ids = createIds();
  const sealer = createSealer(randomBytes(32));
  const directory = await storeFolder();
  const open = (): Promise<Store> => openSqliteStore({ directory, clock, sealer, log: silentLog });
  const runs: SimulatedRun[] = [];
  const sends: SimulatedSend[] = [];
  const acknowledgements: SimulatedAcknowledgement[] = [];
  const results: Result[] = [];
  const known = new Map<number, { id: string; rechecks: number }>();
  const targets = new Map<string, boolean>();
  const locations = new Map<string, Extract<Step, { do: "location" }>["is"]>();
  let receiver: Extract<Step, { do: "receiver" }>["is"] = "well";
  let commits = true;
  let sentSinceTrouble = 0;
  let writing = 0;
  let processes = 0;
  let store = await open();
  let running: SimulatedProcess;

  /** No time passes while the disk is at work, so that a slow one changes nothing. */
  const pass = async (ms: number): Promise<void> => {
    const until = clock.monotonic() + ms;
    while (clock.monotonic() < until) {
      await clock.advance(Math.min(500, until - clock.monotonic()));
      while (writing > 0) await drainEventLoop(1);
    }
    if (commits && ms > CAUGHT_UP_AFTER_MS) sentSinceTrouble = 0;
  };
  const written = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    writing += 1;
    try {
      return await work();
    } finally {
      writing -= 1;
    }
  };

  /** The store of one process: nothing is committed while it cannot, or after that process has crashed. */
  const seen = (alive: { yet: boolean }): Store => {
    const refuse = (): void => {
      if (!commits || !alive.yet) throw new Unavailable("cannot store anything now");
    };
    return {
      ...store,
      async append(result, also) {
        refuse();
        const end = await written(() => store.append(result, also));
        results.push(result);
        return end;
      },
      async write(unit) {
        refuse();
        const added: Result[] = [];
        const value = await written(() =>
          store.write((tx: Transaction) => {
            const append = (result: Result): Promise<void> => {
              added.push(result);
              return tx.results.append(result);
            };
            return unit({ ...tx, results: { ...tx.results, append } });
          }),
        );
        results.push(...added);
        return value;
      },
    };
  };

  const reply = (number: number, code: string, job: Job): Promise<Report> => {
    const is = locations.get(code) ?? "well";
    if (is === "silent") return new Promise(() => {});
    if (is === "offline")
      return Promise.resolve({ error: "offline", message: "the location is offline" });
    const isUp = is === "well" && targets.get(job.checkId) === true;
    const [revision, tick] = job.id.split(".").slice(1).map(Number);
    runs.push({
      process: number,
      checkId: job.checkId,
      revision: Number(revision),
      tick: Number(tick),
      location: code,
      passed: isUp,
    });
    const outcome = isUp ? passed("200", "Success") : failed("refused", "Error", "refused");
    return Promise.resolve({
      startOffsetMs: 0,
      endOffsetMs: 5,
      outcome,
      connectivityConfirmed: false,
    });
  };

  const send: Sender = ({ alertId, message }, { signal }) => {
    const mayBeTaken = receiver !== "busy" && receiver !== "gone";
    sends.push({ at: clock.now(), alertId, message, accepted: receiver === "well", mayBeTaken });
    sentSinceTrouble += commits ? 0 : 1;
    if (receiver === "well") return Promise.resolve({ response: "200 OK" });
    const options = { retryable: receiver !== "gone", mayHaveArrived: receiver === "unclear" };
    if (receiver !== "hanging") return Promise.reject(new DeliveryFailed(receiver, options));
    return new Promise((_resolve, reject) => {
      const end = (): void =>
        reject(new DeliveryFailed("no end", { retryable: true, mayHaveArrived: true }));
      signal.addEventListener("abort", end, { once: true });
    });
  };

  const begin = (): SimulatedProcess => {
    processes += 1;
    const number = processes;
    const bus = quietBus(clock);
    for (const code of LOCATIONS) {
      bus.serve(
        { code, region: undefined },
        { runJob: (job) => reply(number, code, job), runDiagnostics: async () => [] },
      );
    }
    const channels = channelsBy(() => digestChannel(send));
    return startProcess({ store: seen, bus, clock, channels, groupWaitMs: GROUP_WAIT_MS, ids });
  };

  const end = async (crash = false): Promise<void> => {
    const unsaved = commits && !crash ? 0 : sentSinceTrouble;
    for (const send of sends.slice(sends.length - unsaved))
      Object.assign(send, { accepted: false, mayBeTaken: false });
    sentSinceTrouble = 0;
    if (crash) running.crash();
    const ended = running.end().then(() => true);
    await waitFor("a process ends", async () => {
      await pass(500);
      return Promise.race([ended, Promise.resolve(false)]);
    });
    await store.close();
  };

  const change = async (
    id: string,
    to: { readonly enabled?: boolean } | undefined,
  ): Promise<void> => {
    const found = await store.checks.find(alice.id, id);
    if (found === undefined || !commits) return;
    const { check } = found;
    await store.write(async ({ checks }) => {
      if (to === undefined) await checks.remove(alice.id, id, clock.now());
      else
        await checks.update(
          {
            ...check,
            ...to,
            revision: check.revision + 1,
            runRevision: check.runRevision + 1,
            runChangedAt: clock.now(),
            modifiedAt: clock.now(),
          },
          clock.now(),
        );
    });
    running.bus.changes.publish({ accountId: alice.id, checkNo: check.no });
  };
  const acknowledge = async (id: string, on: boolean): Promise<void> => {
    const found = await store.checks.find(alice.id, id);
    const outage = found?.state.outage;
    if (found === undefined || outage === undefined || !commits) return;
    const { check } = found;
    const at = clock.now();
    const isDone = await store.write((tx) =>
      on
        ? acknowledgeOutage(
            tx,
            { check, outage, acknowledgement: { at, by: "Ann", note: "" } },
            ids,
          )
        : withdrawAcknowledgement(tx, check, at),
    );
    if (isDone) acknowledgements.push({ outage, at, on });
  };
  const switchAll = async (on: boolean): Promise<void> => {
    if (!commits) return;
    await store.write(({ checks }) => checks.disableAll(alice.id, !on, clock.now()));
    running.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  };

  const take = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "wait":
        return pass(step.ms);
      case "target":
        return void targets.set(step.check, step.up);
      case "location":
        return void locations.set(step.location, step.is);
      case "store":
        commits = step.commits;
        return undefined;
      case "receiver":
        receiver = step.is;
        return undefined;
      case "acknowledge":
        return acknowledge(step.check, step.on);
      case "put":
        return change(step.check, {});
      case "enable":
        return change(step.check, { enabled: step.on });
      case "remove":
        return change(step.check, undefined);
      case "enable-all":
        return switchAll(step.on);
      case "blink-all": {
        const off = switchAll(false);
        const on = switchAll(true);
        await off;
        return on;
      }
      case "restart": {
        await end(step.crash);
        store = await open();
        running = begin();
        return undefined;
      }
      default:
        throw new Error(`no such step: ${JSON.stringify(step satisfies never)}`);
    }
  };

  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    for (const contact of recipients)
      await tx.contacts.insert(aContact(contact, { addresses: [hookAddress(contact)] }));
    for (const [id, rechecks] of Object.entries(RECHECKS)) {
      const notifications = [
        { ann: { schedule: "All", repeat: 1 } },
        { ben: { schedule: "All", delay: benDelayMinutes, repeat: 3, repeatcount: 2 } },
      ];
      const { no } = await tx.checks.insert(aCheck(id, { rechecks, notifications }));
      known.set(no, { id, rechecks });
      targets.set(id, true);
    }
  });
  running = begin();
  for (const step of steps) await take(step);
  for (const code of LOCATIONS) locations.set(code, "well");
  commits = true;
  receiver = "well";
  await pass(4 * minute);
  await end();
  return {
    ...readRows(directory),
    runs,
    acknowledgements,
    sends,
    results,
    known,
    targets,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
