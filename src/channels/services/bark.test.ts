import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { bark } from "./bark.ts";

const text = z.string().min(1);
/** As API_V2.md has it; further parameters are passed on to the app. */
const push = z.looseObject({
  device_key: z.string(),
  title: text,
  body: text,
  group: text,
  level: z.enum(["critical", "active", "timeSensitive", "passive"]),
  id: text.max(64),
  url: z.url(),
});
/** Limit of Apple, without what the server adds. */
const MAX_BYTES = 4096 - 300;
const key = "ynJ5Ft4atkMkWeo2PAvFhF";

const answered = (code: number, message: string): { status: number; body: string } => ({
  status: code,
  body: JSON.stringify({ code, message, timestamp: 1 }),
});

serviceContract(bark, {
  address: `https://api.day.app/${key}`,
  others: [
    `https://api.day.app/${key}/`,
    `https://api.day.app/push?device_key=${key}&sound=alarm`,
    `http://10.0.0.1:8080/bark/push?device_key=${key}`,
  ],
  foreign: ["https://api.day.app/", "http://10.0.0.1:8080/push", `http://10.0.0.1:8080/${key}`],
  secrets: [key],
  answer({ path, body }) {
    const { success, data } = push.safeParse(JSON.parse(body));
    if (path !== "/push" || !success) return answered(400, "request bind failed");
    if (data.device_key !== key) return answered(400, "failed to get device token: no such key");
    return Buffer.byteLength(body) <= MAX_BYTES
      ? answered(200, "success")
      : answered(500, "push failed: APNS push failed: PayloadTooLarge");
  },
  shown({ body }) {
    const { title, body: words } = push.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: words, alive: /[\p{Cf}\p{Cs}]/u },
    ];
  },
  refusals: [
    { answer: answered(400, "failed to get device token: no such key"), retryable: false },
    {
      answer: answered(500, "push failed: APNS push failed: BadDeviceToken"),
      retryable: false,
      address: "gone",
    },
    {
      answer: answered(500, "push failed: APNS push failed: InternalServerError"),
      retryable: true,
    },
    { answer: answered(429, "too many"), retryable: true },
  ],
});

test("Bark: an outage is one notification, which a recovery changes, with the sound and level of the address", () => {
  const url = new URL(
    `https://api.day.app/push?device_key=${key}&level=critical&sound=alarm&title=x`,
  );
  const sent = (kind: "down" | "up") => {
    const { id, level, sound, title } = push
      .omit({ device_key: true })
      .parse(bark.requestOf(sampleAlertContext(kind), url).body);
    return { id, level, sound, title };
  };
  const [down, up] = [sent("down"), sent("up")];
  assert.equal(down.id, up.id);
  assert.deepEqual(
    [down.level, up.level, down.sound, down.title],
    ["critical", "active", "alarm", "DOWN: Shop"],
  );
});
