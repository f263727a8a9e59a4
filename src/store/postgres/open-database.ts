import { randomUUID } from "node:crypto";

import type { Secret } from "../../kit/crypto/secret.ts";
import { noMeter, type Meter } from "../../kit/meter.ts";
import { kyselyOver } from "./dialect.ts";
import { createReceptionRows } from "./reception/reception-rows.ts";
import {
  createReception,
  type ReceptionDeps,
  type SharedReception,
} from "./reception/reception.ts";
import { createControllerRows } from "./leases/controller-rows.ts";
import { createLease, type Lease } from "./leases/lease.ts";
import { createPool } from "./pool.ts";
import {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from "./postgres-store.ts";
import { prepareDatabase } from "./prepare-database.ts";

interface Options extends Omit<PostgresStoreOptions, "pool"> {
  readonly url: Secret;
  readonly connections: number;
  readonly meter?: Meter;
}

/** One end of a cut of the network must not wait for it longer than the other. */
const RENEWED_WITHIN_MS = 2000;

/** Opens the database of an URL, and makes its tables if need be. */
export async function openDatabase(options: Options): Promise<PostgresStore> {
  const { url, connections } = options;
  await prepareDatabase(options);
  const pool = createPool({ url, most: connections });
  try {
    return await openPostgresStore({ ...options, pool });
  } catch (error) {
    await pool.end();
    throw error;
  }
}

interface LeaseOptions extends Pick<Options, "url" | "clock" | "log" | "meter"> {
  /** Whether this process reaches the locations: otherwise it gives its share to a process that does. */
  readonly busOk?: () => boolean;
  /** Measured to the database. */
  readonly roundTripMs?: () => number | undefined;
}

/** Begins to take a share of the checks of an opened database. */
export function openLease({
  url,
  clock,
  log,
  meter = noMeter,
  busOk = () => true,
  roundTripMs = () => undefined,
}: LeaseOptions): Lease {
  const renewing = kyselyOver(createPool({ url, most: 1, answerWithinMs: RENEWED_WITHIN_MS }));
  const sharing = kyselyOver(createPool({ url, most: 1 }));
  const lease = createLease({
    rows: createControllerRows(sharing),
    renewals: createControllerRows(renewing),
    newId: randomUUID,
    busOk,
    roundTripMs,
    clock,
    log,
    meter,
  });
  return {
    ...lease,
    async close() {
      await lease.close();
      await Promise.all([renewing.destroy(), sharing.destroy()]);
    },
  };
}

interface HearingOptions
  extends
    Pick<Options, "url">,
    Pick<ReceptionDeps, "hears" | "interruptions" | "listener" | "clock" | "log"> {}

/** Starts to share, over an opened database, whether all receivers could receive heartbeats. */
export function openReception({ url, ...deps }: HearingOptions): SharedReception {
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: RENEWED_WITHIN_MS }));
  const reception = createReception({ ...deps, rows: createReceptionRows(db), id: randomUUID() });
  return {
    ...reception,
    async close() {
      await reception.close();
      await db.destroy();
    },
  };
}
