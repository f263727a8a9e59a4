import assert from "node:assert/strict";
import { test } from "node:test";

import { digestChannel, notifierHarness } from "../../../test/harnesses/notifier-harness.ts";
import { alice, anAddress } from "../../../test/record-builders.ts";

const hour = 3_600_000;
const mailbox = "ann@example.net";

function isJudged(ends: readonly string[]): boolean {
  return !ends.includes("first waiting");
}

// guard: confirmed mailboxes
test("a Down to a mailbox that nobody confirmed is sent once it is confirmed, and none that recovered before", async () => {
  await using bench = await notifierHarness({
    addresses: [anAddress("ann", { address: mailbox, confirmed: false })],
    checks: 2,
  });
  const [, second] = bench.checks;
  await bench.flip(undefined, "failing");
  await bench.flip(undefined, "failing", second);
  const held = "first held address_unconfirmed";
  await bench.until("both are judged", async () => isJudged(await bench.ends()));
  assert.deepEqual(await bench.ends(), [held, held]);
  await bench.flip("failing", "passing", second);
  await bench.until("no Up is sent", async () =>
    (await bench.ends()).includes("up dropped down_not_sent"),
  );
  assert.deepEqual(bench.sent, []);
  await bench.store.write(({ contacts }) => contacts.confirmMailbox(alice.id, mailbox));
  await bench.until("the first is sent", () => bench.sent.length > 0);
  await bench.flip("failing", "passing");
  await bench.until("so is its Up", () => bench.sent.length > 1);
  assert.deepEqual(
    bench.sent.map(({ kind }) => kind),
    ["first", "up"],
  );
});

// guard: mails of alerts to a mailbox
test("alerts over the daily limit of a mailbox wait, and go in one mail then, with what was down before", async () => {
  const sent: string[] = [];
  await using bench = await notifierHarness({
    addresses: [anAddress("ann", { address: mailbox })],
    channel: digestChannel(async ({ message, alertId }) => {
      sent.push(`${message} ${alertId}`);
      return { response: "200 OK" };
    }),
    checks: 4,
    groupWaitMs: 5000,
    alertMailLimit: 1,
  });
  const [, ...others] = bench.checks;
  await bench.flip(undefined, "failing");
  await bench.until("the first is sent", () => sent.length === 1);
  for (const check of others) await bench.flip(undefined, "failing", check);
  await bench.until("the others are judged", async () => isJudged(await bench.ends()));
  const limited = others.map(() => "first waiting mailbox_limit");
  assert.deepEqual(await bench.ends(), ["first delivered", ...limited]);
  assert.ok(bench.events.includes("notifier.mailbox_limit"));
  const waiting = (await bench.notifications()).find(({ status }) => status === "waiting");
  assert.equal(waiting?.attempts, 0);
  await bench.flip("failing", "passing", others.at(-1));
  await bench.until("a day has passed", () => sent.length > 1, hour);
  await bench.until("all have ended", async () =>
    (await bench.ends()).every((end) => !end.includes("waiting")),
  );
  assert.deepEqual(
    (await bench.ends()).toSorted(),
    [
      "first delivered",
      "first delivered",
      "first delivered",
      "first dropped recovered",
      "missed delivered",
    ].toSorted(),
  );
  const [, ...later] = sent.map((each) => each.split(" ")[0]);
  assert.deepEqual([sent.length, new Set(later).size], [4, 1]);
});
