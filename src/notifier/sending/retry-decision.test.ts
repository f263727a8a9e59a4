import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { maxRetryMs } from "../../domain/alert/retry.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import { sampleAlert } from "../../../test/sample-alert.ts";
import { decideRetry } from "./retry-decision.ts";

const DUE = Date.UTC(2026, 0, 5, 12);
const alert = sampleAlert("down", { dueAt: DUE, retryUntil: DUE + maxRetryMs });

test("a refusal for good fails at once, with the receiver's words", () => {
  const failure = new DeliveryFailed("550 no such user", { retryable: false });
  assert.deepEqual(decideRetry([alert], failure, { now: DUE, jitter: 0 }), {
    status: "failed",
    at: DUE,
    reason: "550 no such user",
    possiblySent: false,
    unreached: false,
  });
});

test("a Retry-After longer than our own delay is honoured, a shorter one is not", () => {
  const wait = (retryAfterMs: number): unknown =>
    decideRetry([alert], new DeliveryFailed("later", { retryable: true, retryAfterMs }), {
      now: DUE,
      jitter: 1,
    });
  assert.deepEqual(wait(60_000), {
    status: "waiting",
    nextAttemptAt: DUE + 60_000,
    possiblySent: false,
    unreached: true,
  });
  assert.deepEqual(wait(1), {
    status: "waiting",
    nextAttemptAt: DUE + 5000,
    possiblySent: false,
    unreached: true,
  });
});

test("what may have arrived is kept in mind", () => {
  const failure = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });
  const end = decideRetry([alert], failure, { now: DUE, jitter: 0 });
  assert.equal("possiblySent" in end && end.possiblySent, true);
});

test("retries end within six hours, the last of them at the very end", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          jitter: fc.double({ min: 0, max: 1, noNaN: true }),
          took: fc.nat({ max: 65_000 }),
          after: fc.nat({ max: 10 * 3_600_000 }),
        }),
        { minLength: 1, maxLength: 50 },
      ),
      (tries) => {
        let now = DUE;
        for (let attempts = 1; ; attempts += 1) {
          const { jitter, took, after } = tries[attempts % tries.length] ?? {
            jitter: 0,
            took: 0,
            after: 0,
          };
          now += took;
          const end = decideRetry(
            [{ ...alert, attempts }],
            new DeliveryFailed("no", { retryable: true, retryAfterMs: after }),
            { now, jitter },
          );
          if (end.status === "failed") {
            assert.ok(now >= DUE + maxRetryMs && now <= DUE + maxRetryMs + 65_000);
            return;
          }
          assert.ok(
            end.status === "waiting" &&
              end.nextAttemptAt > now &&
              end.nextAttemptAt <= DUE + maxRetryMs,
          );
          now = end.nextAttemptAt;
          assert.ok(attempts < 200);
        }
      },
    ),
  );
});

test("every instant is a whole number of ms, whatever the jitter and what the receiver asks for", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }), { nil: undefined }),
      fc.integer({ min: 1, max: 40 }),
      (jitter, retryAfterMs, attempts) => {
        const failure = new DeliveryFailed("later", { retryable: true, retryAfterMs });
        const end = decideRetry([{ retryUntil: DUE + maxRetryMs, attempts }], failure, {
          now: DUE,
          jitter,
        });
        assert.ok(end.status === "waiting");
        assert.ok(Number.isInteger(end.nextAttemptAt), String(end.nextAttemptAt));
      },
    ),
  );
});
