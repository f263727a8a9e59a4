import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { defaultLimits, type AccountLimits } from "../../src/domain/account/limits.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { createSealer, type Sealer } from "../../src/kit/crypto/seal.ts";
import { HISTORY_KEPT_DAYS } from "../../src/store/retention.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createSameThreadDatabase } from "./same-thread-database.ts";
import { storeFolder } from "./store-folder.ts";
import { refuseOutsideReads } from "../outside-reads/outside-reads.ts";
import { fakeClock, type FakeClock } from "../time/fake-clock.ts";

export interface TempStore extends Store, AsyncDisposable {
  readonly directory: string;
  /** Gives the store once it is this time; of a store with a fake clock. */
  readonly at: (now: number) => Promise<Store>;
  /** Lets time pass; of a store with a fake clock. */
  readonly pass: (ms: number) => Promise<void>;
  /** How many rows there are of a table, or of a table and a condition. */
  readonly count: (rows: string) => number;
}

const usualSealer = createSealer(randomBytes(32));

/** A store of its own in a folder of its own, both gone at the end of the scope. */
export async function tempStore(
  options: {
    readonly clock?: Clock | FakeClock;
    readonly sealer?: Sealer;
    readonly limits?: Partial<AccountLimits>;
    /** With the thread that writes in production, which takes 30 ms of CPU to start. */
    readonly hasThread?: boolean;
    readonly historyDays?: number;
  } = {},
): Promise<TempStore> {
  const directory = await storeFolder();
  const { clock = fakeClock(), sealer = usualSealer } = options;
  if (sealer === usualSealer) {
    emptyDatabase ??= makeEmptyDatabase();
    await writeFile(join(directory, DATABASE), await emptyDatabase);
  }
  const store = refuseOutsideReads(
    await openSqliteStore({
      directory,
      clock,
      sealer,
      log: silentLog,
      limits: { ...defaultLimits, ...options.limits },
      historyDays: options.historyDays ?? HISTORY_KEPT_DAYS,
      ...(options.hasThread === true ? {} : { openThread: createSameThreadDatabase }),
    }),
  );
  return {
    ...store,
    directory,
    at(now) {
      if (!isFake(clock)) throw new Error("only a fake clock is set");
      clock.step(now - clock.now());
      return Promise.resolve(store);
    },
    pass(ms) {
      if (!isFake(clock)) throw new Error("only a fake clock is set");
      return clock.advance(ms);
    },
    count: (rows) => countRows(directory, rows),
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** How many rows a store's files have of a table, or of a table and a condition. */
export function countRows(directory: string, rows: string): number {
  using database = new DatabaseSync(join(directory, DATABASE), { readOnly: true });
  return Number(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get()?.count);
}

function isFake(clock: Clock | FakeClock): clock is FakeClock {
  return "step" in clock;
}

const DATABASE = "watchpost.db";
let emptyDatabase: Promise<Buffer> | undefined;

/** Made once a process, for making the tables takes longer than most tests. */
async function makeEmptyDatabase(): Promise<Buffer> {
  const directory = await storeFolder();
  const store = await openSqliteStore({
    directory,
    clock: fakeClock(),
    sealer: usualSealer,
    log: silentLog,
  });
  await store.close();
  const database = await readFile(join(directory, DATABASE));
  await rm(directory, { recursive: true });
  return database;
}
