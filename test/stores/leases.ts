import { sql } from "kysely";

import { Unavailable } from "../../src/kit/errors.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import {
  createControllerRows,
  lockController,
  type ControllerRow,
  type ControllerRows,
} from "../../src/store/postgres/leases/controller-rows.ts";
import { Fenced } from "../../src/store/postgres/leases/fenced.ts";
import { createLease, type Lease } from "../../src/store/postgres/leases/lease.ts";
import type { Postgres } from "../servers/postgres.ts";
import { drainEventLoop, fakeClock } from "../time/fake-clock.ts";
import { stepUntil } from "../time/wait-for.ts";
import { migratedDatabase } from "./postgres-store.ts";

/** A process that controls checks, with a clock of its own. */
export interface Owner {
  readonly lease: Lease;
  /** A unit that is fenced and does nothing else. */
  readonly commit: (id: string) => Promise<void>;
  /** Blocks its loop, as after SIGSTOP; its clock continues. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Whether it reaches the database. */
  readonly cut: (isCut: boolean) => void;
  /** Whether it reaches the locations. */
  readonly bus: (isOk: boolean) => void;
  /** How far from the database it finds itself. */
  readonly far: (roundTripMs: number) => void;
}

/** Owners over one database, whose time passes by hand. */
export interface Leases extends AsyncDisposable {
  readonly add: () => Promise<Owner>;
  readonly passSeconds: (seconds: number) => Promise<void>;
  readonly controllers: () => Promise<readonly ControllerRow[]>;
}

interface Driven {
  readonly owner: Owner;
  readonly pass: (ms: number) => Promise<void>;
}

const STEP_MS = 250;

export async function leasesOver(server: Postgres): Promise<Leases> {
  const db = await migratedDatabase(server);
  const rows = createControllerRows(db);
  const driven: Driven[] = [];
  let made = 0;
  const add = (): Driven => {
    const clock = fakeClock();
    let [isFrozen, isCut, isBusOk, missedMs] = [false, false, true, 0];
    let roundTripMs = 0;
    let inFlight = 0;
    /** A call that knows whether it can be made, and is waited for. */
    const reached = <Args extends readonly unknown[], Value>(
      call: (...args: Args) => Promise<Value>,
    ): ((...args: Args) => Promise<Value>) => {
      return async (...args) => {
        if (isCut) throw new Unavailable("cut off");
        inFlight += 1;
        return call(...args).finally(() => (inFlight -= 1));
      };
    };
    const own: ControllerRows = {
      register: reached(rows.register),
      renew: reached(rows.renew),
      list: reached(rows.list),
      takeOver: reached(rows.takeOver),
      claim: reached(rows.claim),
      free: reached(rows.free),
      remove: reached(rows.remove),
    };
    const id = `owner-${(made += 1)}`;
    let rowsMade = 0;
    const lease = createLease({
      rows: own,
      renewals: own,
      newId: () => `${id}-${(rowsMade += 1)}`,
      busOk: () => isBusOk,
      roundTripMs: () => roundTripMs,
      clock,
      log: silentLog,
      meter: noMeter,
    });
    const quiet = async (): Promise<void> => {
      await drainEventLoop();
      await stepUntil("the database answers", () => inFlight === 0);
      await drainEventLoop();
    };
    const pass = async (ms: number): Promise<void> => {
      if (isFrozen) {
        missedMs += ms;
        return;
      }
      // All timers that fell due meanwhile fire at once, and find out how late they are.
      await clock.advance(ms);
      await quiet();
    };
    const owner: Owner = {
      lease,
      commit: reached((controllerId) =>
        db.transaction().execute(async (unit) => {
          if (!(await lockController(unit, controllerId))) throw new Fenced();
        }),
      ),
      freeze: () => void (isFrozen = true),
      thaw() {
        if (isFrozen) clock.jump(missedMs);
        [isFrozen, missedMs] = [false, 0];
      },
      cut: (is) => void (isCut = is),
      bus: (isOk) => void (isBusOk = isOk),
      far: (ms) => void (roundTripMs = ms),
    };
    return { owner, pass };
  };
  return {
    async add() {
      const added = add();
      driven.push(added);
      await added.pass(0);
      return added.owner;
    },
    async passSeconds(seconds) {
      for (let steps = 0; steps < (seconds * 1000) / STEP_MS; steps += 1)
        await Promise.all(driven.map(({ pass }) => pass(STEP_MS)));
    },
    async controllers() {
      const found = await sql<ControllerRow>`select * from controllers order by id`.execute(db);
      return found.rows;
    },
    async [Symbol.asyncDispose]() {
      for (const { owner } of driven) {
        owner.cut(false);
        owner.thaw();
        await owner.lease.close();
      }
      await db.destroy();
    },
  };
}
