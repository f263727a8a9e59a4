import assert from "node:assert/strict";
import { suite, test } from "node:test";

import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

import recorded from "../../../src/api/openapi/examples.json" with { type: "json" };
import type { OperationObject } from "../../../src/api/openapi/document.ts";
import { isRecord } from "../../../src/kit/safe-json.ts";
import { currentDocument, recordExamples } from "./record.ts";

/** Operations without an example: those of signed-in people, mails, remote locations, or the document itself, and those too long for an example. */
const withoutExample = new Set(
  [
    ["deleteSessions", "deleteSessionsById", "deleteSecondfactors", "deleteSecondfactorsById"],
    ["postContactsResetpassword", "postContactsResetpasswordById", "getDocument", "getInfoForms"],
    ["postInfoForget", "postInfoForgetById"],
  ].flat(),
);

/** Fields whose value differs between recordings. */
const changing = new Set(
  "_id _rev id queue uuid slug url actor token checktoken position record version timezone".split(
    " ",
  ),
);

/** Signing in takes the passwords, codes and links of people. */
const isOfSigningIn = (path: string): boolean => path.split("/")[1] === "signin";

const document = await currentDocument();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })),
);

/** Returns a recording without IDs, times, and measurements; list entries occur once. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const each = new Map(value.map(comparable).map((item) => [JSON.stringify(item), item]));
    return [...each.keys()].toSorted().map((key) => each.get(key));
  }
  if (typeof value === "number") return 0;
  if (typeof value === "string") return withoutIds(value);
  if (!isRecord(value)) return value;
  // On a busy machine a run has no times, and the service reports that it was suspended.
  const { timings: _, service: __, ...rest } = value;
  return Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [
      withoutIds(name),
      changing.has(name) && typeof each === "string" ? "" : comparable(each),
    ]),
  );
}

/** Ids are words in capitals, with digits or not, or long ones of any letters. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[A-Z\d]{8}(?:-[A-Z\d]{4}){3}-[A-Z\d]{12}/gi, "uuid")
    .replaceAll(/\d{4}-\d\d(?:-\d\d)?(?:[ T][\d:.]+Z?)?/g, "date")
    .replaceAll(/\b(?:[A-Z\d]{5,}|[a-z\d]{12}|[A-Za-z\d]{16})\b/g, "id");
}

function contentOf({ responses: { 200: response }, requestBody }: OperationObject) {
  const answered = response !== undefined && "content" in response ? response.content : {};
  return [answered, requestBody?.content].flatMap((content) => Object.values(content ?? {}));
}

suite("the examples of the OpenAPI document", () => {
  test("every operation has one", () => {
    const missing = operations.filter(
      ({ path, operation }) =>
        !isOfSigningIn(path) && !contentOf(operation).some(({ example }) => example !== undefined),
    );
    const names = missing.map(({ operation }) => operation.operationId);
    assert.deepEqual(new Set(names), withoutExample);
  });

  test("each is as its schema says", () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ components: document.components }, "openapi");
    for (const { operation } of operations)
      for (const { schema, example } of [
        ...contentOf(operation),
        ...(operation.parameters ?? []),
      ]) {
        if (example === undefined) continue;
        const located: object = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
        const isValid = ajv.compile(located);
        assert.ok(isValid(example), `${operation.operationId}: ${ajv.errorsText(isValid.errors)}`);
      }
  });

  test("they are what the program answers today; `node scripts/examples.ts` records them anew", async () => {
    assert.deepEqual(comparable(recorded), comparable(await recordExamples()));
  });
});
