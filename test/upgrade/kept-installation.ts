import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

/** Its credentials are sealed with this, and so it needs no file. */
export const keptSettings = { WATCHPOST_INSTANCE_KEY: "07".repeat(32) } as const;

const FOLDER = join(import.meta.dirname, "kept");

const about = z.object({
  token: z.string(),
  /** IDs of records by collection of the API. */
  ids: z.record(z.string(), z.array(z.string()).min(1)),
  push: z.object({ id: z.string(), checktoken: z.string(), results: z.int().positive() }),
  failing: z.object({ id: z.string(), target: z.string(), results: z.int().positive() }),
});

/** Responses of the API for an installation before it was archived. */
export type KeptInstallation = Readonly<z.output<typeof about>>;

/** The files of one, by the last migration of its database. */
export function keptPaths(schema: string): { readonly database: string; readonly about: string } {
  return { database: join(FOLDER, `${schema}.db.gz`), about: join(FOLDER, `${schema}.json`) };
}

/** Puts a data folder into a folder, as the program of its time left it. */
export async function unpackKept(schema: string, folder: string): Promise<KeptInstallation> {
  const paths = keptPaths(schema);
  await mkdir(join(folder, "data"), { mode: 0o700 });
  const database = gunzipSync(readFileSync(paths.database));
  writeFileSync(join(folder, "data", "watchpost.db"), database, { mode: 0o600 });
  return about.parse(JSON.parse(readFileSync(paths.about, "utf8")));
}
