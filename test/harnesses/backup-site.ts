import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { BackupSettings, Work } from "../../src/server/backup/make-backup.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { aCheck, aContact, alice, anAlert, aResult, minute, noon } from "../record-builders.ts";
import { fakeClock } from "../time/fake-clock.ts";

export const RESULTS = 700;

export function work(changes: Partial<Work> = {}): Work {
  return {
    version: "1.2.3",
    progress: () => {},
    interrupted: new AbortController().signal,
    ...changes,
  };
}

export interface Site extends AsyncDisposable {
  /** Where folders of a test are. */
  readonly path: (name: string) => string;
  readonly settings: BackupSettings;
  /** Settings of another installation. */
  readonly elsewhere: (name: string) => BackupSettings;
  readonly store: Store;
  readonly stop: () => Promise<void>;
}

/** An installation with a check, results and an alert that waits. */
export async function site(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-backup-"));
  const path = (name: string): string => join(folder, name);
  const elsewhere = (name: string): BackupSettings => ({
    WATCHPOST_DATA: path(name),
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_DATABASE_URL: undefined,
  });
  const settings = elsewhere("data");
  const key = randomBytes(32);
  mkdirSync(path("data"), { mode: 0o700 });
  writeFileSync(path("data/instance.key"), `${key.toString("hex")}\n`, { mode: 0o600 });
  const clock = fakeClock();
  const options = { directory: path("data"), clock, sealer: createSealer(key), log: silentLog };
  const store = await openSqliteStore(options);
  const check = await store.write(async ({ accounts, contacts, checks, alerts }) => {
    await accounts.insert(alice);
    await contacts.insert(aContact("ann"));
    const made = await checks.insert(aCheck("check"));
    await alerts.insert(anAlert("alert", made));
    return made;
  });
  await Promise.all(
    Array.from({ length: RESULTS }, (_, index) =>
      store.append(aResult(check.no, noon + index * minute)),
    ),
  );
  let isOpen = true;
  const stop = async (): Promise<void> => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  return {
    path,
    settings,
    elsewhere,
    store,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Every row of every table of a data folder or a backup, but of what only one database knows. */
export function rowsIn(folder: string, except: readonly string[] = ["meta"]): object {
  using database = new DatabaseSync(join(folder, "watchpost.db"), { readOnly: true });
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !except.includes(name));
  return Object.fromEntries(
    tables.map((table) => [
      table,
      database
        .prepare(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => JSON.stringify(row)),
    ]),
  );
}
