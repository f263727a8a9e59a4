import assert from "node:assert/strict";
import { test } from "node:test";

import { diagnosticsShown, firstMessagesOf, followingMails, measureStorm } from "./measure.ts";
import { ANSWER_MS, alertStorm } from "./storm.ts";

const CHECKS = 120;
/** The notifier looks for what is due every 100 ms at most, and a receiver takes a while to answer. */
const SOON_MS = ANSWER_MS + 100;
/** The first, one after each window, and one more where the minute of ticks ends in the middle of the widest. */
const MAX_MESSAGES = 5;

test("in a storm of sixty checks of one host and sixty of others each address is alerted of every check once, of none later than its window, in few messages where several fit in one", async () => {
  const only = ["mail", "text message", "call", "webhook", "Slack"];
  const record = await alertStorm({ only });
  const rows = measureStorm(record);
  assert.deepEqual(
    rows.map(({ receiver, kind }) => `${receiver.name} ${kind}`).toSorted(),
    only
      .flatMap((name) => (name === "call" ? ["call down"] : [`${name} down`, `${name} up`]))
      .toSorted(),
  );
  for (const { receiver, kind, messages, named, byHost, counted, latestMs } of rows) {
    const row = `${receiver.name} ${kind}`;
    assert.equal(named + byHost + counted, CHECKS, row);
    assert.ok(latestMs <= receiver.windowMs + SOON_MS, `${row}: ${latestMs} ms`);
    if (receiver.windowMs === 0) assert.deepEqual([messages, named], [CHECKS, CHECKS], row);
    else assert.ok(messages <= MAX_MESSAGES, `${row}: ${messages} messages`);
    if (receiver.name === "mail") assert.equal(named, CHECKS, row);
  }
  for (const { receiver, status } of record.alerts)
    assert.ok(status === "delivered" || status === "dropped", receiver.name);
  for (const { alert, text } of record.receivers.flatMap((receiver) =>
    receiver.name === "mail" ? firstMessagesOf(record, receiver, "down") : [],
  ))
    assert.match(text, new RegExp(`/check\\?\\S*check=${alert.check.record.id}&\\S*proof=`));
  const [earliest] = record.receivers
    .flatMap((receiver) => firstMessagesOf(record, receiver, "down"))
    .toSorted((one, other) => one.alert.verdictAt - other.alert.verdictAt);
  assert.ok(earliest !== undefined && earliest.afterMs <= SOON_MS);
});

/** After the first message, which is sent immediately, later messages collect what is known, so few follow. */
const MAX_FOLLOWING = 4;

test("in a storm of checks with diagnostics these come in the messages about their checks and in few mails after them, and no check is alerted later", async () => {
  const record = await alertStorm({ only: ["mail"], diagnosticsMs: 3000 });
  const rows = measureStorm(record);
  assert.deepEqual(
    rows.map(({ kind, named }) => [kind, named]),
    [
      ["down", CHECKS],
      ["up", CHECKS],
    ],
  );
  for (const { receiver, kind, latestMs, messages } of rows) {
    assert.ok(latestMs <= receiver.windowMs + SOON_MS, `${kind}: ${latestMs} ms`);
    assert.ok(messages <= MAX_MESSAGES, `${kind}: ${messages} messages`);
  }
  const following = followingMails(record);
  assert.ok(following.length <= MAX_FOLLOWING, `${following.length} mails`);
  const shown = diagnosticsShown(record);
  assert.ok(shown.inAlerts > 0 && shown.after > 0, JSON.stringify(shown));
  assert.equal(shown.inAlerts + shown.after, CHECKS);
});
