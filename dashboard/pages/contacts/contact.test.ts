import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addressesWith,
  addressWords,
  inputOf,
  newAddress,
  toBody,
  type Address,
  type Contact,
} from "./contact.ts";

const mailbox: Address = {
  address: "ann@example.com",
  type: "email",
  status: "new",
  accountsuppressall: false,
};
const hook: Address = {
  ...mailbox,
  address: "https://example.com/",
  type: "webhook",
  headers: { "x-key": "1" },
  data: { label: "x" },
  suppressup: true,
};
const contact: Contact = {
  _id: "c",
  type: "contact",
  customer_id: "a",
  name: "Ann",
  custrole: "edit",
  addresses: { one: mailbox, two: hook },
};

test("a change of one address keeps the others, and undefined removes it", () => {
  assert.deepEqual(addressesWith(contact, { two: { mute: true } }), {
    one: {},
    two: { mute: true },
  });
  assert.deepEqual(addressesWith(contact, { one: undefined }), { two: {} });
});

test("what a form shows of an address is what it sends back", () => {
  assert.deepEqual(toBody(inputOf(hook)), {
    address: "https://example.com/",
    suppressup: true,
    suppressdown: false,
    suppressfirst: false,
    suppressdiag: false,
    suppressall: false,
    mute: false,
    headers: '{"x-key":"1"}',
    data: '{\n  "label": "x"\n}',
  });
  assert.equal(inputOf(mailbox).headers, undefined);
});

test("only the members of its kind are sent, and an empty text removes headers", () => {
  const sent = toBody({ ...newAddress, type: "webhook", headers: " ", data: "", priority: "2" });
  assert.deepEqual([sent.headers, sent.data, sent.priority], [{}, undefined, undefined]);
  assert.equal(
    toBody({ ...newAddress, type: "pushover", priority: "1", headers: "{}" }).priority,
    "1",
  );
  assert.equal(toBody({ ...newAddress, headers: "{}" }).headers, undefined);
});

const bot: Address = {
  ...mailbox,
  type: "webhook",
  address: "https://api.telegram.org/bot1:Ab/sendMessage?chat_id=-1",
  service: "Telegram",
  settings: { token: null, chat_id: "-1" },
};

test("of a stored service only the settings that were changed are sent, and its URL is not", () => {
  const input = inputOf(bot);
  assert.deepEqual([input.address, input.settings], ["", { token: "", chat_id: "-1" }]);
  const unchanged = toBody(input);
  assert.deepEqual(
    [unchanged.address, unchanged.service, unchanged.settings],
    [undefined, undefined, undefined],
  );
  const changed = toBody({ ...input, settings: { token: "", chat_id: "-2" } });
  assert.deepEqual(changed.settings, { chat_id: "-2" });
  assert.equal(addressWords(bot), "Telegram -1");
});

test("a stored credential is removed where that is asked for, and stays otherwise", () => {
  const stored = { server: "https://ntfy.sh", token: null };
  const input = inputOf({ ...bot, service: "ntfy", settings: stored });
  assert.equal(toBody(input).settings, undefined);
  const removing = toBody({ ...input, removed: ["token"] });
  assert.deepEqual(removing.settings, { token: "" });
  assert.equal("removed" in removing, false);
});

test("of a new service what was entered is sent", () => {
  const settings = { token: "1:Ab", chat_id: "", message_thread_id: "" };
  const sent = toBody({ ...newAddress, type: "webhook", service: "Telegram", settings });
  assert.deepEqual([sent.service, sent.settings], ["Telegram", { token: "1:Ab" }]);
});
