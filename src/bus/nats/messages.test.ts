import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { beatOf, nam, sealerOf } from "../../../test/harnesses/nats-harness.ts";
import { findingLimits } from "../../domain/diagnostics.ts";
import { outcomeLimits } from "../../domain/run/outcome.ts";
import {
  MAX_BEAT_BYTES,
  openBeat,
  parseAnswer,
  sealBeat,
  type LocationAnswer,
} from "./messages.ts";

const WITHIN_MS = 20_000;

const good = {
  kind: "report",
  report: {
    startOffsetMs: 0,
    endOffsetMs: 30,
    outcome: {
      passed: true,
      reason: "ok",
      text: "200",
      message: "200 OK",
      runtimeMs: 3,
      timings: { dns: 1, connect: 2, tls: 3, firstByte: 4, total: 5 },
      address: "192.0.2.1",
      certificate: { subject: "CN=a", issuer: "CN=b", validTo: 1_800_000_000_000 },
      evidence: "HTTP 200",
      unreached: true,
      title: "Shop",
    },
    connectivityConfirmed: false,
    resolverSilent: true,
  },
};

type Path = readonly (string | number)[];

/** The value with another one at the path. */
function withValue(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  const inner: unknown = Object.entries(Object(value)).find(
    ([name]) => name === String(first),
  )?.[1];
  return { ...Object(value), [first]: withValue(inner, rest, other) };
}

/** JSON has no such numbers, but parses what is too large as Infinity. */
function parsed(answer: unknown, number = ""): LocationAnswer {
  return parseAnswer(JSON.stringify(answer).replace('"NUMBER"', number), WITHIN_MS);
}

test("a report as a probe makes it is taken as it is", () => {
  assert.deepEqual(parsed(good), good);
});

const outcome = ["report", "outcome"];
for (const path of [
  ["report", "startOffsetMs"],
  ["report", "endOffsetMs"],
  [...outcome, "runtimeMs"],
  ...["dns", "connect", "tls", "firstByte", "total"].map((name) => [...outcome, "timings", name]),
])
  for (const number of ["-1", "1e300", "1e999", "20001", "null", '"1"'])
    test(`a report with ${number} as its ${path.at(-1)} is none`, () => {
      assert.throws(() => parsed(withValue(good, path, "NUMBER"), number));
    });

for (const number of ["1e308", "253402300800000", "-1e14", "1.5", "null"])
  test(`a certificate that ends at ${number} is none`, () => {
    assert.throws(() =>
      parsed(withValue(good, [...outcome, "certificate", "validTo"], "NUMBER"), number),
    );
  });

for (const [name, changes] of [
  ["that passed for a reason of failures", { reason: "timeout" }],
  ["that failed for no reason", { passed: false }],
  ["that the policy refused", { passed: false, reason: "blocked" }],
] as const)
  test(`an outcome ${name} is none`, () => {
    const { report } = good;
    assert.throws(() =>
      parsed({ ...good, report: { ...report, outcome: { ...report.outcome, ...changes } } }),
    );
  });

test("no location makes its failure final, for others must be able to contradict it", () => {
  const failed = { passed: false, reason: "protocol", text: "error", message: "", final: true };
  const answer = parsed(withValue(good, outcome, failed));
  assert.ok(!JSON.stringify(answer).includes("final"));
});

// guard: texts of reports
test("texts are clipped to what our own probes send, and stored as they are", () => {
  const long = `\0${"\u{1f600}".repeat(100_000)}`;
  const texts = { text: long, message: long, address: long, evidence: long, title: long };
  const certificate = { subject: long, issuer: long, validTo: 0 };
  const given = { ...good.report.outcome, ...texts, certificate };
  const answer = parsed(withValue(good, outcome, given));
  assert.ok(answer.kind === "report" && "outcome" in answer.report);
  const found = answer.report.outcome;
  const all = [
    [found.text, outcomeLimits.text],
    [found.message, outcomeLimits.message],
    [found.address, outcomeLimits.address],
    [found.evidence, outcomeLimits.evidence],
    [found.title, outcomeLimits.title],
    [found.certificate?.subject, outcomeLimits.name],
    [found.certificate?.issuer, outcomeLimits.name],
  ] as const;
  for (const [text = "", most] of all) {
    assert.ok(text.length > 0 && text.length <= most, `${text.length} of ${most}`);
    assert.ok(!text.includes("\0") && text.isWellFormed());
  }
});

test("findings are few, and their texts are clipped", () => {
  const finding = { tool: "page", about: "x".repeat(1e5), text: "y".repeat(1e5) };
  const answer = parsed({ kind: "findings", findings: [finding] });
  assert.deepEqual(answer, {
    kind: "findings",
    findings: [
      {
        tool: "page",
        about: "x".repeat(findingLimits.about),
        text: "y".repeat(findingLimits.text),
      },
    ],
  });
  const many = Array.from({ length: findingLimits.findings + 1 }, () => finding);
  assert.throws(() => parsed({ kind: "findings", findings: many }));
});

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 9000 }),
  fc.constantFrom("\0", "\ud800", "x".repeat(350_000), "__proto__", "ok"),
);
const hostileNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e308, 2 ** 53, NaN));
const hostileValue = fc.oneof(
  hostileText,
  hostileNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const paths: readonly Path[] = [
  ["kind"],
  ["report"],
  ["report", "error"],
  ["report", "message"],
  ["report", "startOffsetMs"],
  ["report", "endOffsetMs"],
  ["report", "connectivityConfirmed"],
  ["report", "resolverSilent"],
  outcome,
  ...Object.keys(good.report.outcome).map((name) => [...outcome, name]),
  ...Object.keys(good.report.outcome.timings).map((name) => [...outcome, "timings", name]),
  ...Object.keys(good.report.outcome.certificate).map((name) => [...outcome, "certificate", name]),
  [...outcome, "final"],
  [...outcome, "__proto__"],
];

function assertBounded(value: unknown): void {
  if (typeof value === "number") assert.ok(Number.isFinite(value) && Math.abs(value) < 2.6e14);
  if (typeof value === "string")
    assert.ok(value.length <= 4096 && !value.includes("\0") && value.isWellFormed());
  if (typeof value === "object" && value !== null) Object.values(value).forEach(assertBounded);
}

// guard: times of reports
test("whatever a location answers is refused, or is within every bound", () => {
  const change = fc.tuple(fc.constantFrom(...paths), hostileValue);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      let answer: unknown = good;
      for (const [path, value] of changes) answer = withValue(answer, path, value);
      let taken: LocationAnswer;
      try {
        taken = parseAnswer(JSON.stringify(answer), WITHIN_MS);
      } catch {
        return;
      }
      assertBounded(taken);
      if (taken.kind !== "report" || "error" in taken.report) return;
      const { startOffsetMs, endOffsetMs, outcome: found } = taken.report;
      const times = [startOffsetMs, endOffsetMs, found.runtimeMs ?? 0];
      for (const ms of [...times, ...Object.values(found.timings ?? {})])
        assert.ok(ms >= 0 && ms <= WITHIN_MS);
      assert.doesNotThrow(() => new Date(found.certificate?.validTo ?? 0).toISOString());
      assert.equal(found.passed, found.reason === "ok");
    }),
    { numRuns: 2000 },
  );
});

// guard: sizes of beats
test("a beat is read with the key that it names, by the size that one has", () => {
  const received = openBeat(beatOf("ny"), "ny", sealerOf);
  assert.deepEqual([received?.key, received?.beat?.instance], [nam, "one"]);
  assert.equal(openBeat(beatOf("ny"), "ld", sealerOf)?.beat, undefined);
  const types = Array.from({ length: 256 }, () => "x".repeat(64));
  const large = beatOf("ny", { types });
  assert.ok(large.length > MAX_BEAT_BYTES);
  assert.equal(openBeat(large, "ny", sealerOf), undefined);
});

// guard: versions that probes say
test("a beat says the version of its program, and is read without it where that is none", () => {
  const programOf = (program: string) => openBeat(beatOf("ny", { program }), "ny", sealerOf)?.beat;
  assert.equal(programOf("1.2.3-rc.1+deb12")?.program, "1.2.3-rc.1+deb12");
  for (const program of ["", "<b>1</b>", "1".repeat(41)])
    assert.deepEqual(
      [programOf(program)?.instance, programOf(program)?.program],
      ["one", undefined],
    );
});

test("whatever is sent as a beat is refused, or is one that the key allows", () => {
  const beat = { instance: "one", versions: [1], types: [], leaving: false, program: "1.2.3" };
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .tuple(fc.constantFrom("1-nam\n", "9-eur\n", "1-\n", "\n"), fc.uint8Array())
      .map(([head, rest]) => Buffer.concat([Buffer.from(head), rest])),
    fc
      .dictionary(fc.constantFrom(...Object.keys(beat)), hostileValue)
      .map((changes) =>
        sealBeat({ ...beat, ...Object(changes) }, "ny", { key: nam, sealer: sealerOf("ny", nam) }),
      ),
  );
  fc.assert(
    fc.property(junk, (data) => {
      const found = openBeat(data, "ny", sealerOf)?.beat;
      if (found === undefined) return;
      assert.ok(found.instance.length <= 64 && found.types.length <= 256);
      assert.equal(typeof found.leaving, "boolean");
      assert.match(found.program ?? "1", /^[\w.+-]{1,40}$/);
    }),
    { numRuns: 500 },
  );
});
