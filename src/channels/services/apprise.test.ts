import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext, sampleTestContext } from "../../../test/sample-alert.ts";
import { apprise } from "./apprise.ts";

/** As the reference of /notify/{KEY} has it. */
const notification = z.strictObject({
  title: z.string().min(1),
  body: z.string().min(1),
  type: z.enum(["info", "success", "warning", "failure"]),
  format: z.literal("text"),
  tag: z.string().optional(),
});
const path = "/notify/ops-team";

serviceContract(apprise, {
  address: `http://apprise.example.com${path}`,
  others: ["http://10.0.0.1:8000/notify/ops", "http://apprise:9000/base/notify/ops/?tag=phones"],
  foreign: [
    "http://10.0.0.1/notify/ops",
    "http://apprise.example.com/notify/",
    "http://apprise.example.com/add/ops",
  ],
  secrets: [],
  answer: ({ path: called, headers, body }) =>
    called === path &&
    headers["content-type"]?.startsWith("application/json") === true &&
    notification.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"error":null,"details":[]}' }
      : { status: 400, body: '{"error":"Payload lacks minimum requirements"}' },
  // A mention is defused as well, for nobody knows whom it reaches.
  shown({ body }) {
    const { title, body: text } = notification.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n<>@\p{Cf}\p{Cs}]/u },
      { text, alive: /[<>@\p{Cf}\p{Cs}]/u },
    ];
  },
  refusals: [
    { answer: { status: 204 }, retryable: false },
    {
      answer: { status: 424, body: '{"error":"One or more notification could not be sent"}' },
      retryable: false,
    },
    { answer: { status: 403, body: '{"error":"locked"}' }, retryable: false },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

test("Apprise: the type says how it is, and the tag who is alerted", () => {
  const url = new URL(`http://apprise.example.com${path}?tag=phones`);
  const types = [sampleAlertContext("down"), sampleAlertContext("up"), sampleTestContext()].map(
    (context) => {
      const { type, tag } = notification.parse(apprise.requestOf(context, url).body);
      return [type, tag];
    },
  );
  assert.deepEqual(types, [
    ["failure", "phones"],
    ["success", "phones"],
    ["info", "phones"],
  ]);
});
