import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { serviceAt } from "./registry.ts";
import { homeAssistant } from "./home-assistant.ts";

const text = z.string().min(1);
/** As the reference of the notify action and that of the apps have it. */
const notification = z.strictObject({
  title: text,
  message: text,
  data: z.strictObject({
    tag: text,
    group: text,
    url: z.url(),
    clickAction: z.url(),
    actions: z.array(z.strictObject({ action: z.literal("URI"), title: text, uri: z.url() })),
  }),
});
const MAX_BYTES = 4096 - 500;
const token = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl";
const path = "/api/services/notify/mobile_app_phone";

serviceContract(homeAssistant, {
  address: `https://home.example.com${path}?token=${token}`,
  others: [
    "http://homeassistant.local:8123/api/services/notify/send_message?entity_id=notify.phone&token=x",
    `http://10.0.0.1:8000${path}?token=x`,
  ],
  foreign: [
    `https://home.example.com${path}`,
    "https://home.example.com/api/services/light/turn_on?token=x",
  ],
  secrets: [token],
  answer({ path: called, headers, body }) {
    if (headers.authorization !== `Bearer ${token}` || called.includes(token))
      return { status: 401, body: "401: Unauthorized" };
    const fits = Buffer.byteLength(body) <= MAX_BYTES;
    return called === path && fits && notification.safeParse(JSON.parse(body)).success
      ? { status: 200, body: "[]" }
      : { status: 400, body: "400: Bad Request" };
  },
  // The apps show some HTML.
  shown({ body }) {
    const { title, message } = notification.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n<>\p{Cf}\p{Cs}]/u },
      { text: message, alive: /[<>\p{Cf}\p{Cs}]/u },
    ];
  },
  links({ body }) {
    const { url, actions } = notification.parse(JSON.parse(body)).data;
    return [url, ...actions.map(({ uri }) => uri)];
  },
  refusals: [
    { answer: { status: 400, body: "400: Bad Request" }, retryable: false },
    { answer: { status: 401, body: "401: Unauthorized" }, retryable: false },
    { answer: { status: 500, body: "500 Internal Server Error" }, retryable: true },
  ],
});

test("Home Assistant: a notification of an outage is replaced by that of its end", () => {
  const url = new URL(`https://home.example.com${path}?token=x`);
  const tags = (["down", "up"] as const).map(
    (kind) =>
      notification.parse(homeAssistant.requestOf(sampleAlertContext(kind), url).body).data.tag,
  );
  assert.equal(tags[0], tags[1]);
});

test("Home Assistant: an entity is sent its message alone", () => {
  const url = new URL(
    "https://home.example.com/api/services/notify/send_message?entity_id=notify.phone&token=x",
  );
  const { body } = homeAssistant.requestOf(sampleAlertContext("down"), url);
  assert.deepEqual(Object.keys(body), ["title", "message", "entity_id"]);
});

test("Home Assistant: a webhook trigger is called with our own payload", () =>
  assert.equal(serviceAt("http://homeassistant.local:8123/api/webhook/watchpost-x1"), undefined));
