import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { sampleNotice, sampleAlertContext, sampleTestContext } from "../../../test/sample-alert.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { payloadOf } from "./payload.ts";

/** Receivers rely on all of it: a field that goes, or becomes something else, is another version. */
const version1: Readonly<Record<string, readonly string[]>> = {
  schema_version: ["number"],
  id: ["string"],
  type: ["string"],
  created_at: ["number"],
  "account.id": ["string"],
  "account.name": ["string"],
  "check.id": ["string"],
  "check.label": ["string"],
  "check.type": ["string"],
  "check.target": ["string"],
  "check.interval": ["number"],
  "state.now": ["string"],
  "state.previous": ["string", "null"],
  "state.since": ["number"],
  "state.duration_ms": ["number", "null"],
  "result.id": ["string"],
  "result.s": ["number"],
  "result.e": ["number"],
  "result.rt": ["number"],
  "result.sc": ["string"],
  "result.m": ["string"],
  "result.evidence": ["string", "null"],
  "result.certificate": ["null", "object"],
  "result.certificate.subject": ["string"],
  "result.certificate.issuer": ["string"],
  "result.certificate.valid_to": ["number"],
  "result.certificate.days_left": ["number"],
  confirmations: ["object"],
  "confirmations.0.location": ["string"],
  "confirmations.0.at": ["number"],
  "confirmations.0.ok": ["boolean"],
  "confirmations.0.message": ["string"],
  dedup_key: ["string", "null"],
  reminder: ["number", "null"],
  acknowledgement: ["object", "null"],
  late: ["string", "null"],
  "links.installation": ["string"],
  "links.check": ["string", "null"],
  "links.page": ["string", "null"],
  "links.acknowledge": ["string", "null"],
};

const { result } = sampleNotice("down");
const certificate = { subject: "shop.example.com", issuer: "An authority", validTo: 0 };
const shown = { result: { ...result, certificate, evidence: "no" } };

for (const { name, context } of [
  { name: "a first result", context: sampleAlertContext("first") },
  { name: "a first result that is up", context: sampleAlertContext("first", { state: "passing" }) },
  { name: "a failure", context: sampleAlertContext("down") },
  { name: "a failure with all that is known of it", context: sampleAlertContext("down", shown) },
  { name: "a reminder", context: sampleAlertContext("reminder") },
  {
    name: "an acknowledgement",
    context: sampleAlertContext("acknowledged", {
      acknowledgement: { at: 0, by: "Ann", note: "" },
    }),
  },
  { name: "a recovery", context: sampleAlertContext("up") },
  { name: "a test", context: sampleTestContext() },
]) {
  test(`the envelope of ${name} has the fields of version 1, each of its kind`, () => {
    const types = typesIn(JSON.parse(JSON.stringify(payloadOf(context))));
    assert.equal(payloadOf(context).schema_version, 1);
    for (const [path, expected] of Object.entries(version1)) {
      const type = types.get(path);
      const parent = types.get(path.replace(/\.?[^.]*$/, ""));
      // There may be no certificate, and no run that confirmed it.
      assert.ok(parent !== "object" || expected.includes(type ?? ""), `${path} is ${type}`);
    }
  });
}

test("the envelope has the fields that docs/webhooks.md shows, and no other", async () => {
  const page = await readFile(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n(\{\n {2}"schema_version".*?)```/s.exec(page) ?? [];
  const documented = [...typesIn(JSON.parse(example)).keys()];
  const sent = typesIn(
    JSON.parse(JSON.stringify(payloadOf(sampleAlertContext("down", shown)))),
  ).keys();
  const ofOne = [...sent].filter((path) => !path.startsWith("confirmations.1"));
  assert.deepEqual(ofOne, documented);
});

/** Returns the type of each value by its path. */
function typesIn(value: unknown, path = ""): ReadonlyMap<string, string> {
  const type = value === null ? "null" : typeof value;
  const members = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
  const below = members.flatMap(([name, member]) => [
    ...typesIn(member, path === "" ? name : `${path}.${name}`),
  ]);
  return new Map([[path, type], ...below]);
}
