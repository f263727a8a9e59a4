import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../../test/api-fixture.ts";
import type { Job, Report } from "../../../../bus/bus.ts";
import { failed, passed, type Outcome } from "../../../../domain/run/outcome.ts";

const secret = "hunter22";
const mailbox = { type: "SMTP", target: "mail.example", username: "ann", password: secret };

/** A location that replies to every job with the report, and keeps the jobs. */
async function siteWith(report: Report, deps: Parameters<typeof createApiFixture>[0] = {}) {
  const jobs: { readonly location: string; readonly job: Job }[] = [];
  const cast = await createApiFixture({
    ...deps,
    runJob: async (location, job) => {
      jobs.push({ location, job });
      return report;
    },
  });
  return { cast, jobs, [Symbol.asyncDispose]: () => cast[Symbol.asyncDispose]() };
}

function reportOf(outcome: Outcome): Report {
  return { startOffsetMs: 2, endOffsetMs: 45, outcome, connectivityConfirmed: true };
}

test("a test runs what was sent at a location, answers with the outcome, and stores nothing", async () => {
  const outcome = passed("200", "Success", {
    timings: { dns: 3, connect: 9, firstByte: 30, total: 43 },
    address: "192.0.2.1",
    title: "The shop",
    certificate: { subject: "shop.example", issuer: "An authority", validTo: 86_400_000 * 40_000 },
  });
  await using site = await siteWith(reportOf(outcome));
  const { cast } = site;
  const sent = { type: "http", target: "https://shop.example", threshold: 7 };
  const { status, body } = await cast.ask(cast.alice, "POST /checks/test", sent);
  assert.equal(status, 200, JSON.stringify(body));
  const { certificate, ...rest } = body;
  assert.deepEqual(rest, {
    outcome: "passed",
    reason: "ok",
    text: "200",
    message: "Success",
    location: "fra",
    runtime: 43,
    address: "192.0.2.1",
    title: "The shop",
    label: "https://shop.example/",
    timings: { dns: 3, connect: 9, firstbyte: 30, total: 43 },
  });
  assert.equal(certificate.subject, "shop.example");
  assert.ok(certificate.daysleft > 0);
  const [asked] = site.jobs;
  assert.equal(asked?.location, "fra");
  assert.deepEqual(asked?.job.parameters, { target: "https://shop.example/" });
  assert.equal(asked?.job.timeoutMs, 7000);
  assert.equal(asked?.job.wantsTitle, true);
  assert.deepEqual((await cast.ask(cast.alice, "GET /checks")).body, {});
});

test("a failed test has what the target answered", async () => {
  const outcome = { ...failed("status", "503", "Service Unavailable"), evidence: "HTTP/1.1 503" };
  await using site = await siteWith(reportOf(outcome));
  const { body } = await site.cast.ask(site.cast.alice, "POST /checks/test", plainCheck);
  assert.deepEqual(
    [body.outcome, body.reason, body.text, body.message, body.evidence],
    ["failed", "status", "503", "Service Unavailable", "HTTP/1.1 503"],
  );
});

for (const { name, report, reason, message } of [
  {
    name: "a target that the egress policy blocks",
    report: { error: "blocked", message: "10.0.0.1 is a private address" } as const,
    reason: "blocked",
    message: "The target may not be asked: 10.0.0.1 is a private address",
  },
  {
    name: "a location that does not reply",
    report: { error: "unanswered", message: "" } as const,
    reason: "unanswered",
    message: "The location did not reply",
  },
]) {
  test(`a test of ${name} is undecided, and says so`, async () => {
    await using site = await siteWith(report);
    const { status, body } = await site.cast.ask(site.cast.alice, "POST /checks/test", plainCheck);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.outcome, body.reason, body.message, body.runtime],
      ["undecided", reason, message, undefined],
    );
  });
}

test("where no location is live in the regions nothing is asked", async () => {
  await using site = await siteWith(reportOf(passed("200", "")));
  const sent = { ...plainCheck, runlocations: ["nam"] };
  const { body } = await site.cast.ask(site.cast.alice, "POST /checks/test", sent);
  assert.deepEqual([body.outcome, body.reason, site.jobs], ["undecided", "no_location", []]);
});

test("a test runs at the location that is named, and at no other", async () => {
  const locations = () => [
    { code: "fra", region: "eur" as const },
    { code: "ny", region: "nam" as const },
  ];
  await using site = await siteWith(reportOf(passed("200", "")), { locations });
  const { ask, alice } = site.cast;
  await ask(alice, "POST /checks/test", { ...plainCheck, location: "NY" });
  assert.deepEqual(
    site.jobs.map(({ location }) => location),
    ["ny"],
  );
  const { status, body } = await ask(alice, "POST /checks/test", { ...plainCheck, location: "x" });
  assert.deepEqual([status, body.error], [400, "location: must be one of fra, ny"]);
});

test("of a check that exists what is not sent is its own, with its credentials", async () => {
  await using site = await siteWith(reportOf(passed("250", "")));
  const { ask, alice } = site.cast;
  const { body: made } = await ask(alice, "POST /checks", mailbox);
  await ask(alice, `POST /checks/test/${made._id}`, { port: 587 });
  const [asked] = site.jobs;
  assert.deepEqual(asked?.job.parameters, {
    target: "mail.example",
    username: "ann",
    password: secret,
    port: 587,
  });
  const { body: kept } = await ask(alice, `GET /checks/${made._id}`);
  assert.equal(kept.parameters.port, undefined);
  assert.equal(kept._rev, made._rev);
});

test("Carol tests no check of Alice's, and who may only look tests none", async () => {
  await using site = await siteWith(reportOf(passed("250", "")));
  const { ask, alice, carol } = site.cast;
  const { body: made } = await ask(alice, "POST /checks", mailbox);
  const { status } = await ask(carol, `POST /checks/test/${made._id}`, { port: 587 });
  assert.equal(status, 404);
  const { body: token } = await ask(alice, "POST /tokens", { label: "reads", access: "read" });
  const looking = await ask(String(token.token), "POST /checks/test", plainCheck);
  assert.equal(looking.status, 403, looking.text);
  assert.deepEqual(site.jobs, []);
});

for (const [sent, error] of [
  [{ type: "HTTP", target: "shop" }, /^Invalid URL|^target: /],
  [{ target: "https://shop.example/" }, /^type: required/],
  [{ type: "PORT", target: "db.example" }, /^port: /],
  [{ type: "PUSH" }, /^type: nothing runs a check of this type/],
] as const) {
  test(`a test of ${JSON.stringify(sent)} is refused with a sentence`, async () => {
    await using site = await siteWith(reportOf(passed("200", "")));
    const { status, body } = await site.cast.ask(site.cast.alice, "POST /checks/test", sent);
    assert.equal(status, 400);
    assert.match(body.error, error);
    assert.deepEqual(site.jobs, []);
  });
}

test("an account with its subaccounts tests twenty checks a minute, and three at once", async () => {
  let isFirst = true;
  const waiting: (() => void)[] = [];
  await using cast = await createApiFixture({
    runJob: () =>
      new Promise((resolve) => {
        const reply = (): void => resolve(reportOf(passed("200", "")));
        if (isFirst) waiting.push(reply);
        else reply();
      }),
  });
  const { ask, alice, bob, clock } = cast;
  const inFlight = [1, 2, 3].map(() => ask(alice, "POST /checks/test", plainCheck));
  while (waiting.length < 3) await new Promise((resolve) => setImmediate(resolve));
  const fourth = await ask(bob, "POST /checks/test", plainCheck);
  assert.deepEqual([fourth.status, fourth.body.error], [429, "3 checks are being tested already"]);
  isFirst = false;
  for (const reply of waiting) reply();
  for (const { status } of await Promise.all(inFlight)) assert.equal(status, 200);
  for (let count = 3; count < 20; count += 1)
    assert.equal((await ask(alice, "POST /checks/test", plainCheck)).status, 200);
  const next = await ask(alice, "POST /checks/test", plainCheck);
  assert.deepEqual(
    [next.status, next.headers["retry-after"], next.body.error],
    [429, "60", "20 checks were tested in the last minute"],
  );
  assert.equal((await ask(cast.carol, "POST /checks/test", plainCheck)).status, 200);
  await clock.advance(60_000);
  assert.equal((await ask(alice, "POST /checks/test", plainCheck)).status, 200);
});
