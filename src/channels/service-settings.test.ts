import assert from "node:assert/strict";
import { test } from "node:test";

import { sampleAlertContext } from "../../test/sample-alert.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { addressWith, parseServiceName, serviceForms, settingsIn } from "./service-settings.ts";
import { services } from "./services/registry.ts";
import { partsOf } from "./services/address-template.ts";
import { createWebhookChannel } from "./webhook.ts";

const webhook = createWebhookChannel({
  url: "https://watch.example.org/",
  sealer: createSealer(new Uint8Array(32)),
});

/** All that is sent for an address. */
function requestOf(address: string): unknown {
  const context = sampleAlertContext("down", {}, { kind: "webhook", address });
  const service = services.find(({ name }) => name === settingsIn(address)?.service);
  return [webhook.render(context), service?.credentialsOf?.(new URL(address))];
}

/** Webex gives such an address whole, so it is entered whole. */
const whole = new Set(["https://webexapis.com/v1/webhooks/incoming/Y2lzY29zcGFyazovL3Vz"]);

for (const service of services)
  for (const address of service.recipe.addresses) {
    if (whole.has(address)) continue;
    test(`${service.name}: the settings of ${address} make the same request`, () => {
      const values = partsOf(service, address)?.values ?? assert.fail("no form fits");
      assert.equal(addressWith(service.name, {}, address), address);
      assert.equal(addressWith(service.name, values, address), address);
      const made = addressWith(service.name, values, undefined);
      assert.deepEqual(requestOf(made), requestOf(address));
      assert.deepEqual(partsOf(service, made)?.values, values);
    });
  }

for (const service of services) {
  const { name, fields } = service;
  test(`${name}: the examples of its required settings make an address of it`, () => {
    const form = serviceForms.find((each) => each.name === name) ?? assert.fail();
    const required = form.fields.filter((each) => each.required);
    const alternative = fields.find(({ name: each }) => each === "room");
    const wanted = new Set([...required.map((each) => each.name), alternative?.name]);
    const values = fields
      .filter((each) => wanted.has(each.name))
      .map((each) => [each.name, each.example]);
    const address = addressWith(name, Object.fromEntries(values), undefined);
    assert.equal(webhook.parseAddress(address), address);
    assert.equal(settingsIn(address)?.service, name);
  });

  test(`${name}: a setting that is refused is named, and a secret is not repeated`, () => {
    for (const { name: field, secret } of fields) {
      const refused = { [field]: "refuse me\u0000#" };
      assert.throws(
        () => addressWith(name, refused, undefined),
        ({ message }: Error) =>
          message.startsWith(`settings.${field}: must be`) &&
          message.includes("refuse me") === (secret !== true),
      );
    }
    assert.throws(
      () => addressWith(name, { nothing: "x" }, undefined),
      /settings\.nothing: .* has no such setting, only /,
    );
  });
}

const telegram =
  "https://api.telegram.org/bot1:Ab/sendMessage?disable_notification=true&chat_id=-1&x=%7e#f";

test("what the settings do not name stays as it was written", () => {
  assert.equal(
    addressWith("Telegram", { chat_id: "-2" }, telegram),
    "https://api.telegram.org/bot1:Ab/sendMessage?disable_notification=true&chat_id=-2&x=%7e#f",
  );
  assert.equal(
    addressWith("Telegram", { token: "2:Cd", message_thread_id: "7" }, telegram),
    "https://api.telegram.org/bot2:Cd/sendMessage?disable_notification=true&chat_id=-1&x=%7e&message_thread_id=7#f",
  );
  const signal = "http://signal.example.com/v2/send?number=+491511&recipients=+442079,group.Zm8=";
  assert.equal(
    addressWith("Signal", { number: "+491512" }, signal),
    "http://signal.example.com/v2/send?number=%2B491512&recipients=+442079,group.Zm8=",
  );
});

test("an empty text removes what is optional, and nothing else", () => {
  const zulip =
    "https://z.example.com/api/v1/messages?email=a@b.c&key=k&to=ops&topic=my+topic&type=stream";
  assert.deepEqual(settingsIn(zulip)?.settings?.topic, "my topic");
  assert.equal(addressWith("Zulip", { topic: "" }, zulip), zulip.replace("&topic=my+topic", ""));
  assert.throws(
    () => addressWith("Zulip", { key: "" }, zulip),
    /^InvalidInput: settings\.key: required$/,
  );
});

test("an address goes from one form to another, and to another service, with all that is needed", () => {
  const room = "https://webexapis.com/v1/messages?roomId=r&token=t";
  assert.equal(
    addressWith("Webex", { room: "", person: "ann+x@example.com" }, room),
    "https://webexapis.com/v1/messages?token=t&toPersonEmail=ann%2Bx@example.com",
  );
  assert.throws(
    () => addressWith("Webex", { token: "t" }, undefined),
    /settings\.room: required, or person/,
  );
  assert.throws(
    () => addressWith("Webex", { person: "a@b.c" }, room),
    /settings: .*room.* together/,
  );
  assert.throws(() => addressWith("Telegram", { chat_id: "1" }, room), /settings\.token: required/);
});

test("credentials are shown to nobody, and an address in another form has no settings", () => {
  assert.deepEqual(settingsIn(telegram), {
    service: "Telegram",
    settings: { token: null, chat_id: "-1" },
  });
  assert.deepEqual(settingsIn("https://api.telegram.org/bot1/sendMessage"), {
    service: "Telegram",
    settings: undefined,
  });
  assert.equal(settingsIn("https://hooks.example.com/x"), undefined);
});

test("ntfy is given its token as the documentation has it", () => {
  const address = addressWith(
    "ntfy",
    { server: "https://ntfy.sh/", topic: "ops", token: "tk_abc" },
    undefined,
  );
  assert.equal(address, "https://ntfy.sh/ops?auth=QmVhcmVyIHRrX2FiYw");
  assert.deepEqual(settingsIn(address)?.settings, {
    server: "https://ntfy.sh",
    topic: "ops",
    token: null,
  });
});

for (const [said, service, settings, expected] of [
  [
    "another host",
    "Discord",
    { url: "https://evil.example/api/webhooks/1/x" },
    /^settings\.url: must be a URL of Discord, such as https:\/\/discord/,
  ],
  [
    "a host that is not called ntfy",
    "ntfy",
    { server: "https://push.example.com", topic: "ops" },
    /^settings\.server: must be a URL of ntfy, such as/,
  ],
  [
    "a query in the middle",
    "Gotify",
    { server: "https://g.example.com?x=1", token: "AbCdEfGh.iJ_kLm" },
    /^settings\.server: must be a URL without a query/,
  ],
  [
    "a word that is no choice",
    "PagerDuty",
    { routing_key: "a1B2".repeat(8), region: "asia" },
    /^settings\.region: must be one of us, eu, not "asia"$/,
  ],
] as const)
  test(`${said} is refused in words`, () =>
    assert.throws(
      () => addressWith(service, settings, undefined),
      ({ message }: Error) => expected.test(message),
    ));

test("names of services are read whatever their case and punctuation", () => {
  assert.equal(parseServiceName("google-chat"), "Google Chat");
  assert.equal(parseServiceName("ROCKETCHAT"), "Rocket.Chat");
  assert.equal(parseServiceName("irc"), undefined);
});
