import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";
import { jobOf, MAX_JOB_BYTES } from "../../../bus/job.ts";

const check = { type: "HTTPADV", target: "https://example.com", method: "POST" };
test("the largest parameters that a check may have fit into a job, in characters of three bytes", async () => {
  await using cast = await createApiFixture();
  const [postdata, contentstring] = [50_000, 10_000].map((length) => "\u6f22".repeat(length));
  const sent = { ...check, postdata, contentstring };
  const made = await cast.ask(cast.alice, "POST /checks", sent);
  assert.equal(made.status, 200, made.text);
  const found = await cast.store.checks.find(cast.alice.account.id, made.body._id);
  assert.ok(found);
  const job = jobOf({ check: found.check, primaryId: cast.alice.account.id }, 1, {
    attempt: 1,
    state: "failing",
  });
  const bytes = Buffer.byteLength(JSON.stringify({ kind: "job", job }));
  assert.ok(bytes > 3 * 60_000);
  assert.ok(bytes < 0.9 * MAX_JOB_BYTES);
});

test("a check with more is refused by POST and by PUT, and the largest parameter is named", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /checks", check);
  const [postdata, contentstring] = ["x".repeat(60_000), "y".repeat(9000)];
  for (const [call, sent] of [
    ["POST /checks", { ...check, postdata, contentstring }],
    [`PUT /checks/${made._id}`, { postdata, contentstring }],
    ["POST /checks", { ...check, postdata: "x".repeat(70_000) }],
  ] as const) {
    const { status, body } = await cast.ask(cast.alice, call, sent);
    assert.deepEqual(
      [status, body.error],
      [400, "postdata: the parameters of a check may have 65536 characters of JSON in all"],
    );
  }
});
