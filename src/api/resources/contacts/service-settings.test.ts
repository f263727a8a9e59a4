import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../../test/api-fixture.ts";

const bot = { service: "Telegram", settings: { token: "1:s3cret", chat_id: "-100" } };
const url = "https://api.telegram.org/bot1:s3cret/sendMessage?chat_id=-100";

type Entry = Readonly<Record<string, unknown>>;

interface Made {
  readonly id: string;
  readonly shown: Entry;
  readonly put: (entry: object) => Promise<{ status: number; error: string; shown: Entry }>;
}

async function made(cast: ApiFixture, entry: object): Promise<Made> {
  const { body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [entry] });
  const [[addressId, shown] = ["", {}]] = Object.entries<Entry>(body.addresses);
  return {
    id: body._id,
    shown,
    async put(changes) {
      const sent = { addresses: { [addressId]: changes } };
      const answer = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, sent);
      const { error, addresses = {} } = answer.body;
      return { status: answer.status, error, shown: addresses[addressId] };
    },
  };
}

test("the settings of a service make the address, and its credentials are not among those shown", async () => {
  await using cast = await createApiFixture();
  const { shown } = await made(cast, { ...bot, service: "telegram" });
  const { address, type, service, settings } = shown;
  assert.deepEqual(
    { address, type, service, settings },
    {
      address: url,
      type: "webhook",
      service: "Telegram",
      settings: { token: null, chat_id: "-100" },
    },
  );
});

test("a change of one setting keeps the credential, and what the settings do not know", async () => {
  await using cast = await createApiFixture();
  const { put } = await made(cast, {
    type: "webhook",
    address: `${url}&disable_notification=true`,
  });
  const { shown } = await put({ settings: { chat_id: "-200" } });
  assert.equal(
    shown.address,
    "https://api.telegram.org/bot1:s3cret/sendMessage?chat_id=-200&disable_notification=true",
  );
});

test("a record that is sent back with another address has that address", async () => {
  await using cast = await createApiFixture();
  const { shown, put } = await made(cast, bot);
  assert.deepEqual((await put(shown)).shown, shown);
  const other = "https://ntfy.sh/ops";
  const moved = await put({ ...shown, address: other });
  assert.deepEqual(
    [moved.shown.address, moved.shown.service, moved.shown.settings],
    [other, "ntfy", { server: "https://ntfy.sh", topic: "ops" }],
  );
});

test("viewers are shown the service and none of its settings", async () => {
  await using cast = await createApiFixture();
  const { id } = await made(cast, bot);
  const sent = { label: "reads", access: "read" };
  const { body: reader } = await cast.ask(cast.alice, "POST /tokens", sent);
  const { body } = await cast.ask({ ...cast.alice, token: reader.token }, `GET /contacts/${id}`);
  const [shown] = Object.values<Entry>(body.addresses);
  assert.deepEqual([shown?.service, shown?.settings], ["Telegram", undefined]);
});

for (const [said, entry, error] of [
  ["a missing setting", { ...bot, settings: { token: "1:x" } }, "settings.chat_id: required"],
  [
    "a wrong setting",
    { ...bot, settings: { ...bot.settings, chat_id: "our chat" } },
    'settings.chat_id: must be text such as -1001234567890, not "our chat"',
  ],
  [
    "a setting that it does not have",
    { ...bot, settings: { ...bot.settings, room: "x" } },
    "settings.room: Telegram has no such setting, only token, chat_id, message_thread_id",
  ],
  ["no settings", { service: "Telegram" }, "settings.token: required"],
  [
    "another type of address",
    { ...bot, type: "sms" },
    "service: only addresses of type webhook have settings of a service",
  ],
  ["no service", { type: "webhook", settings: {} }, "address: required"],
] as const)
  test(`${said} is refused by name`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await cast.ask(cast.alice, "POST /contacts", {
      newaddresses: [entry],
    });
    assert.deepEqual([status, body], [400, { error: `newaddresses.0.${error}` }]);
  });

test("a service that nobody knows is refused with the list of those that are", async () => {
  await using cast = await createApiFixture();
  const newaddresses = [{ service: "irc", settings: {} }];
  const { status, body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses });
  assert.equal(status, 400);
  assert.match(body.error, /^newaddresses\.0\.service: must be one of Alertmanager, .*Zulip$/);
});
