import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { JsonObject } from "../../src/cli/api-client.ts";
import type { Fields } from "../../src/cli/imports/fields.ts";
import type { Imported, ImportSystem, Note } from "../../src/cli/imports/imported.ts";

interface FieldsCase {
  /** The system, and the kind of its records. */
  readonly title: string;
  readonly fields: Fields;
  /** Records that together have every field, each with a value that is not the default. */
  readonly records: readonly JsonObject[];
  readonly read: (record: JsonObject) => Promise<Imported>;
  /** Prefix of field names in notes. */
  readonly prefix?: string;
}

/** Imports records with every field, and without each of them, so that no field is lost without a word. */
export function testFields({ title, fields, records, read, prefix = "" }: FieldsCase): void {
  const isReported = (name: string): boolean =>
    ["left out", "off"].includes(fields[name]?.outcome ?? "");
  const without = (record: JsonObject, isDropped: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !isDropped(name)));
  const changesWithout = async (name: string): Promise<boolean> => {
    for (const record of records.filter((each) => Object.hasOwn(each, name)))
      // Where a field switches the check off, others may not show: they are tried without it, too.
      for (const base of [record, without(record, (other) => other !== name && isReported(other))])
        if (shown(await read(base)) !== shown(await read(without(base, (other) => other === name))))
          return true;
    return false;
  };

  test(`${title}: every field is mapped, left out with the reason, or no setting`, async () => {
    const known = new Set(records.flatMap((record) => Object.keys(record)));
    assert.deepEqual([...known].toSorted(), Object.keys(fields).toSorted());
    const notes = (await Promise.all(records.map(read))).flatMap(notesOf);
    for (const [name, disposition] of Object.entries(fields)) {
      const { outcome } = disposition;
      if (outcome === "part") {
        assert.notEqual(fields[disposition.of]?.outcome ?? "part", "part", name);
        continue;
      }
      assert.equal(await changesWithout(name), outcome !== "no setting", `${name}, ${outcome}`);
      if (outcome !== "left out" && outcome !== "off") continue;
      const note = notes.find(({ field }) => field === `${prefix}${name}`);
      assert.ok(note?.reason.startsWith(disposition.reason), name);
      assert.equal(note?.reason.endsWith("it is off"), outcome === "off", name);
    }
  });

  test(`${title}: a field that is not known is named`, async () => {
    const [record = {}] = records;
    const notes = notesOf(await read({ ...record, surprise: "x" }));
    assert.ok(notes.some(({ field }) => field === `${prefix}surprise`));
  });
}

function shown(imported: Imported): string {
  return JSON.stringify(imported);
}

function notesOf({ contacts, checks, maintenance, statusPages = [] }: Imported): readonly Note[] {
  return [...contacts, ...checks, ...maintenance, ...statusPages].flatMap(({ notes }) => notes);
}

/** Reads files of these names as a system does. */
export async function readFiles(
  system: ImportSystem,
  files: Readonly<Record<string, string | object>>,
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-import-test-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      await writeFile(join(folder, name), text);
    }
    return await system.read(folder, {});
  } finally {
    await rm(folder, { recursive: true });
  }
}
