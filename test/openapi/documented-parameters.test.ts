import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { createApiFixture, type TestResponse } from "../api-fixture.ts";
import { tablesOf, trialsOf } from "./documented-values.ts";

const folder = join(import.meta.dirname, "../../docs");
const reference = tablesOf(readFileSync(join(folder, "api-reference.md"), "utf8"));
const checkTypes = tablesOf(readFileSync(join(folder, "check-types.md"), "utf8"));

/** Phrases that say what is meant in words alone. */
const inWords: ReadonlySet<string> = new Set([
  "anything",
  "an address of at most 1000 characters, or its path",
]);

interface Documented {
  readonly name: string;
  readonly phrase: string;
  readonly isRequired: boolean;
}

function documented({ Parameter = "", Value = "" }: Readonly<Record<string, string>>): Documented {
  const phrase = Value.replace(/; required$/, "");
  return { name: Parameter.replaceAll("`", ""), phrase, isRequired: phrase !== Value };
}

/** Returns the required parameters, with documented valid values. */
function requiredOf(parameters: readonly Documented[]): Record<string, unknown> {
  return Object.fromEntries(
    parameters
      .filter(({ isRequired }) => isRequired)
      .map(({ name, phrase }) => [name, trialsOf(phrase)?.accepted[0] ?? "1.0"]),
  );
}

function isRefusedFor(name: string, { status, body }: TestResponse): boolean {
  // An invalid account is rejected before other parameters are examined.
  const isOfAccount = name === "customerid" || name === "id";
  const isNoAccount =
    isOfAccount && (status === 403 || String(body.error).startsWith("customerid: "));
  return isNoAccount || (status === 400 && String(body.error).startsWith(`${name}:`));
}

for (const [resource, rows] of reference)
  test(`the reference says of ${resource} what it takes and refuses`, async () => {
    await using cast = await createApiFixture();
    const operations = rows.flatMap(({ Operation = "" }) =>
      Operation === "" ? [] : [Operation.replaceAll("`", "")],
    );
    assert.ok(operations.length > 0);
    for (const operation of operations) {
      const parameters = rows
        .filter(({ Operations = "" }) => Operations.split(", ").includes(operation))
        .map(documented);
      const request = METHODS.includes(operation)
        ? `${operation} /${resource}`
        : `POST /${resource}?action=${operation}`;
      const required = requiredOf(parameters);
      for (const { name, phrase, isRequired } of parameters) {
        const trials = trialsOf(phrase);
        const send = async (value: unknown): Promise<TestResponse> =>
          cast.ask(cast.alice, request, { ...required, [name]: value });
        const said = `${request} ${name}: ${phrase}`;
        assert.ok(trials !== undefined || inWords.has(phrase), said);
        for (const value of trials?.refused ?? []) {
          const answer = await send(value);
          assert.ok(isRefusedFor(name, answer), `${said}: ${inShort(value)} ${answer.text}`);
        }
        for (const value of trials?.accepted ?? []) {
          const answer = await send(value);
          const error = String(answer.body.error);
          assert.ok(answer.status < 500, `${said}: ${inShort(value)} ${answer.text}`);
          assert.ok(!error.startsWith(`${name}: must be`), `${said}: ${inShort(value)} ${error}`);
        }
        if (isRequired) {
          const answer = await send(undefined);
          assert.match(String(answer.body.error), /: required$|required\.$/, said);
        }
      }
    }
  });

for (const [type, rows] of checkTypes) {
  if (!/^[A-Z\d]+$/.test(type)) continue;
  test(`the document of check types says of ${type} what it takes and refuses`, async () => {
    await using cast = await createApiFixture();
    const examples = Object.fromEntries(
      rows.flatMap(({ Parameter = "", Example = "", "Unless sent": unless = "" }) =>
        Example === "" || unless === "made by Watchpost"
          ? []
          : [[Parameter.replaceAll("`", ""), JSON.parse(Example.slice(1, -1))]],
      ),
    );
    for (const row of rows) {
      const { name, phrase } = documented(row);
      if (row["Unless sent"] === "made by Watchpost") continue;
      const said = `${type} ${name}: ${phrase}`;
      const [, replaced = name] = /in place of `(\w+)`/.exec(row.Means ?? "") ?? [];
      const send = (value: unknown): Promise<TestResponse> =>
        cast.ask(cast.alice, "POST /checks", {
          type,
          ...examples,
          [replaced]: undefined,
          [name]: value,
        });
      const trials = trialsOf(phrase);
      for (const value of trials?.refused ?? []) {
        const answer = await send(value);
        assert.ok(
          answer.status === 400 && String(answer.body.error).startsWith(name),
          `${said}: ${inShort(value)} ${answer.text}`,
        );
      }
      for (const value of trials?.accepted ?? []) {
        const answer = await send(value);
        assert.equal(answer.status, 200, `${said}: ${inShort(value)} ${answer.text}`);
      }
      assert.equal(
        (await send(undefined)).status,
        row["Unless sent"] === "required" ? 400 : 200,
        `${said}: ${row["Unless sent"]}`,
      );
    }
  });
}

function inShort(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? "nothing";
}
