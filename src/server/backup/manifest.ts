import { createHash } from "node:crypto";

import { z } from "zod";

import { InvalidInput } from "../../kit/errors.ts";

export const MANIFEST_FILE = "manifest.json";
export const DATABASE_FILE = "watchpost.db";
export const KEY_FILE = "instance.key";

/** A backup of this shape; one that this program cannot read has another number. */
const FORMAT = 1;

const fileSchema = z.strictObject({
  name: z.enum([DATABASE_FILE, KEY_FILE]),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const bodySchema = z.strictObject({
  watchpost_backup: z.literal(FORMAT),
  version: z.string(),
  /** The last migration of the schema. */
  schema: z.string(),
  taken_at: z.iso.datetime(),
  engine: z.enum(["embedded", "postgresql"]),
  /** Whether a service ran when it was made, which has sent what was due. */
  in_use: z.boolean(),
  /** Location of the instance key: in the backup, or in the setting that gave it. */
  key: z.enum(["file", "setting"]),
  files: z.array(fileSchema).min(1).max(2),
  rows: z.record(z.string(), z.int().nonnegative()),
});

/** Content of a backup. */
export type Manifest = Readonly<z.output<typeof bodySchema>>;
export type BackupFile = Manifest["files"][number];

export function writeManifest(body: Omit<Manifest, "watchpost_backup">): string {
  const whole = { watchpost_backup: FORMAT, ...body };
  return `${JSON.stringify({ ...whole, sha256: digestOf(whole) }, undefined, 2)}\n`;
}

export function parseManifest(text: string): Manifest {
  const { sha256, ...body } = z
    .looseObject({ sha256: z.string() })
    .catch({ sha256: "" })
    .parse(jsonOf(text));
  const newer = z.object({ watchpost_backup: z.int().gt(FORMAT) }).safeParse(body);
  if (newer.success && sha256 === digestOf(body))
    throw new InvalidInput(
      "the backup was made by a newer version of Watchpost: restore it with that version",
    );
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success || sha256 !== digestOf(body))
    throw new InvalidInput(
      `${MANIFEST_FILE} is damaged or was changed: take another backup, or another copy of this one`,
    );
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function digestOf(body: object): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}
