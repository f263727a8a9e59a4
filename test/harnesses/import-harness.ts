import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createApiFixture } from "../api-fixture.ts";
import { commandLine, type CommandResult } from "../command-line.ts";

interface PlannedRecord {
  readonly kind: string;
  readonly action: string;
  readonly from: string;
  readonly name: string;
  readonly notes: readonly { readonly outcome: string; readonly field: string; reason: string }[];
}

/** Starts a service, with files of another system next to it. */
export async function importHarness(
  files: Readonly<Record<string, string | object>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const cast = await createApiFixture();
  const folder = await mkdtemp(join(tmpdir(), "watchpost-import-test-"));
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  const { alice } = cast;
  const cli = commandLine(cast, alice.token, { environment });
  const run = (system: string, ...more: readonly string[]): Promise<CommandResult> =>
    cli(`import ${system} ${folder}`, ...more);
  return {
    cast,
    folder,
    cli,
    run,
    /** Returns the planned actions, with the notes of each record as `outcome field`. */
    async plan(system: string, ...more: readonly string[]) {
      const { code, out, err } = await run(system, "--plan", "--json", ...more);
      assert.equal(code, 0, err);
      const { records, absent } = JSON.parse(out);
      return {
        notes: Object.fromEntries(
          records.map(({ from, notes }: PlannedRecord) => [
            from,
            notes.map(({ outcome, field }) => `${outcome} ${field}`),
          ]),
        ),
        absent: Object.fromEntries(
          absent.map(({ from, reason }: { from: string; reason: string }) => [from, reason]),
        ),
      };
    },
    /** Imports twice, the second time without effect, and returns the checks by label. */
    async imported(system: string, ...more: readonly string[]) {
      const first = await run(system, ...more);
      assert.equal(first.code, 0, first.out + first.err);
      const checks = await cast.ask(alice, "GET /checks");
      const contacts = await cast.ask(alice, "GET /contacts");
      const second = await run(system, ...more);
      assert.match(second.out, /^0 created, 0 already there, \d+ imported before/m);
      assert.equal((await cast.ask(alice, "GET /checks")).text, checks.text);
      assert.equal((await cast.ask(alice, "GET /contacts")).text, contacts.text);
      return {
        out: first.out,
        checks: byName(checks.body, ({ label }) => label),
        contacts: byName(contacts.body, ({ name }) => name),
        maintenance: byName((await cast.ask(alice, "GET /maintenance")).body, ({ name }) => name),
      };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await rm(folder, { recursive: true });
      await cast[Symbol.asyncDispose]();
    },
  };
}

// oxlint-disable-next-line no-explicit-any -- records as JSON, of which each test knows the members
export type Json = any;

function byName(
  records: Readonly<Record<string, Json>>,
  nameOf: (record: Json) => string,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.values(records).map((record) => [nameOf(record), record]));
}

/** A check as its parameters, its type and what else an import sets. */
export function shownCheck(check: Json): object {
  const { type, interval, enabled, tags, description, parameters } = check;
  const { checktoken: _checktoken, ...rest } = parameters;
  return {
    type,
    interval,
    ...(enabled === "active" ? {} : { enabled }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(description === "" ? {} : { description }),
    ...rest,
  };
}
