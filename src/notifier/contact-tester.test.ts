import assert from "node:assert/strict";
import { test } from "node:test";

import { channelsBy } from "../channels/registry.ts";
import type { Channel } from "../channels/channel.ts";
import { createVoiceChannel } from "../channels/voice.ts";
import { createWebhookChannel } from "../channels/webhook.ts";
import type { Account } from "../domain/account/account.ts";
import { noSuppressions, type Address } from "../domain/contact/contact.ts";
import { createEgress } from "../kit/net/egress.ts";
import { DeliveryFailed, Unavailable } from "../kit/errors.ts";
import { createIds } from "../kit/ids.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import type { Store } from "../store/store.ts";
import { stepUntil, waitFor } from "../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop, type FakeClock } from "../../test/time/fake-clock.ts";
import { hookAddress, scriptedChannel } from "../../test/harnesses/notifier-harness.ts";
import { receiverPeer } from "../../test/peers/webhook-receiver.ts";
import { phoneHarness } from "../../test/harnesses/phone-harness.ts";
import { aContact, alice, anAddress, noon } from "../../test/record-builders.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { defaultMailLimits } from "../domain/contact/mail-limits.ts";
import type { AskedTest } from "./address-tester.ts";
import { createContactTester } from "./contact-tester.ts";

interface TestBench extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly ask: (actor?: AskedTest["actor"]) => Promise<readonly string[]>;
  readonly stop: () => void;
  readonly addresses: () => Promise<readonly Address[]>;
  readonly store: Store;
}

const url = "https://watch.example.org/";
const webhooks = createWebhookChannel({ url, sealer: createSealer(new Uint8Array(32)) });

/** A tester of one contact of Alice's. */
async function testBench({
  channel,
  addresses,
  account = {},
  write,
}: {
  readonly channel: Channel;
  readonly addresses: readonly Address[];
  readonly account?: Partial<Account>;
  readonly write?: Store["write"];
}): Promise<TestBench> {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const tested = { ...alice, ...account };
  await store.write(async (tx) => {
    await tx.accounts.insert(tested);
    await tx.contacts.insert(aContact("ann", { addresses }));
  });
  const stopping = new AbortController();
  const tester = createContactTester({
    store: write === undefined ? store : { write },
    channels: channelsBy(() => channel),
    clock,
    ids: createIds(),
    log: silentLog,
    meter: noMeter,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    url,
    mailLimits: defaultMailLimits,
    stopping: stopping.signal,
  });
  const contactNow = async () => {
    const contact = await store.contacts.find(alice.id, "ann");
    assert.ok(contact);
    return contact;
  };
  return {
    clock,
    async ask(actor: AskedTest["actor"] = { kind: "token", name: "deploy" }) {
      const contact = await contactNow();
      const results = await tester({ contact, account: tested, caller: tested, actor });
      return results.map(
        ({ address, accepted, response, durationMs }) =>
          `${address.id} ${accepted ? "took it" : "did not"}: ${response} (${durationMs} ms)`,
      );
    },
    stop: () => stopping.abort(),
    addresses: async () => (await contactNow()).addresses,
    store,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test("each address is sent a test by the way that alerts take, and what it said is returned", async () => {
  await using well = await receiverPeer();
  await using gone = await receiverPeer();
  well.reply({ status: 200, body: "thanks" });
  gone.reply({ status: 410, body: "no more" });
  await using bench = await testBench({
    channel: webhooks,
    addresses: [
      hookAddress("own", {
        address: well.url,
        request: {
          action: undefined,
          headers: undefined,
          querystrings: undefined,
          data: { text: "{event} {label} {success}" },
        },
      }),
      hookAddress("well", { address: well.url, mute: true }),
      hookAddress("gone", { address: gone.url }),
      anAddress("mail", { kind: "pigeon" }),
    ],
  });
  assert.deepEqual(await bench.ask(), [
    "own took it: 200 OK: thanks (0 ms)",
    "well took it: 200 OK: thanks (0 ms)",
    "gone did not: 410 Gone: no more (0 ms)",
    'mail did not: no channel for "pigeon" (undefined ms)',
  ]);
  const bodies = well.requests.map(({ body }) => JSON.parse(body));
  const own = bodies.find(({ text }) => text !== undefined);
  const envelope = bodies.find(({ type }) => type !== undefined);
  assert.deepEqual(own, { text: "test Test message true" });
  const { type, check, state, result, account } = envelope;
  assert.deepEqual(
    { type, label: check.label, now: state.now, message: result.m, account: account.id },
    {
      type: "check.test",
      label: "Test message",
      now: "up",
      message: `Asked for with a token of the account ${alice.name}`,
      account: alice.id,
    },
  );
  assert.match(String(well.requests[0]?.headers["webhook-id"]), /^[a-z0-9]{20}$/);
});

for (const { name, message } of [
  { name: "Dana", message: `Sent by Dana from the dashboard of the account ${alice.name}` },
  { name: "", message: `Sent from the dashboard of the account ${alice.name}` },
  { name: "evil.example", message: `Sent from the dashboard of the account ${alice.name}` },
])
  test(`a test that ${JSON.stringify(name)} sends in the dashboard says so`, async () => {
    await using receiver = await receiverPeer();
    await using bench = await testBench({
      channel: webhooks,
      addresses: [hookAddress("own", { address: receiver.url })],
    });
    await bench.ask({ kind: "session", name });
    const [request] = receiver.requests;
    assert.equal(JSON.parse(request?.body ?? "").result.m, message);
  });

test("what several addresses share is tested once, and said of each", async () => {
  await using phone = await phoneHarness(createVoiceChannel);
  const addresses = ["one", "two", "quiet"].map((id) =>
    anAddress(id, {
      kind: "voice",
      address: phone.address,
      suppress: { ...noSuppressions, all: id === "quiet" },
    }),
  );
  await using bench = await testBench({ channel: phone.channel, addresses });
  const [one = "", two, quiet = ""] = await bench.ask();
  assert.match(one, /^one took it/);
  assert.equal(two, one.replace("one", "two"));
  assert.match(quiet, /^quiet did not: not sent/);
  assert.equal(phone.server.calls.length, 1);
});

test("a call is made though the address is alerted of failures only", async () => {
  await using phones = await phoneHarness(createVoiceChannel);
  await using bench = await testBench({
    channel: phones.channel,
    addresses: [
      anAddress("phone", {
        kind: "voice",
        address: phones.address,
        suppress: { ...noSuppressions, up: true, first: true },
      }),
    ],
  });
  const [line = ""] = await bench.ask();
  assert.match(line, /^phone took it: 201 CA\w+ queued/);
  assert.match(
    phones.server.calls[0]?.words ?? "",
    /^Watchpost\. This is a test: nothing is down at 2026-01-05 12:00:00 GMT\. Asked for with a token of the account ALICE\./,
  );
});

for (const { name, account, suppress, why } of [
  {
    name: "a suspended account",
    account: { status: "suspended" },
    why: "the account is suspended",
  },
  {
    name: "a silent account",
    account: { suppressAll: true },
    why: "the account wants no messages",
  },
  {
    name: "a silent address",
    suppress: { ...noSuppressions, all: true },
    why: "the address wants no messages",
  },
] as const) {
  test(`nothing is sent to ${name}, and the answer says why`, async () => {
    let sent = 0;
    await using bench = await testBench({
      channel: scriptedChannel(() => {
        sent += 1;
        return Promise.resolve({ response: "200 OK" });
      }),
      addresses: [hookAddress("ann", suppress && { suppress })],
      ...(account && { account }),
    });
    assert.deepEqual(await bench.ask(), [`ann did not: not sent: ${why} (undefined ms)`]);
    assert.equal(sent, 0);
  });
}

test("a kind of address that lacks its setting is reported, and not tried", async () => {
  const channel = scriptedChannel(() => Promise.reject(new Error("not to be asked")), {
    unavailableReason: "no provider is set",
  });
  await using bench = await testBench({ channel, addresses: [hookAddress("ann")] });
  assert.deepEqual(await bench.ask(), ["ann did not: no provider is set (undefined ms)"]);
});

test("a test that is refused marks the address, and one that is taken makes it new again", async () => {
  let isGone = true;
  await using bench = await testBench({
    channel: scriptedChannel(async () => {
      if (isGone) throw new DeliveryFailed("410 Gone", { retryable: false, address: "gone" });
      return { response: "200 OK" };
    }),
    addresses: [hookAddress("ann")],
  });
  await bench.ask();
  const [gone] = await bench.addresses();
  assert.deepEqual([gone?.status, gone?.refusal], ["disabled", { at: noon, reason: "410 Gone" }]);
  isGone = false;
  assert.deepEqual(await bench.ask(), ["ann took it: 200 OK (0 ms)"]);
  const [well] = await bench.addresses();
  assert.deepEqual([well?.status, well?.refusal], ["new", undefined]);
});

test("few are written to at a time, and who waits for the answer does not wait for long", async () => {
  let atOnce = 0;
  let most = 0;
  const channel = scriptedChannel(async (_, { signal }) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    atOnce -= 1;
    throw new DeliveryFailed("out of time", { retryable: true });
  });
  const ids = ["a", "b", "c", "d", "e", "f"];
  await using bench = await testBench({ channel, addresses: ids.map((id) => hookAddress(id)) });
  const asked = bench.ask();
  await waitFor("the first are under way", () => atOnce === 4);
  await bench.clock.advance(20_000);
  assert.deepEqual(await asked, [
    ...["a", "b", "c", "d"].map((id) => `${id} did not: out of time (20000 ms)`),
    ...["e", "f"].map((id) => `${id} did not: no time was left for it (undefined ms)`),
  ]);
  assert.equal(most, 4);
});

test("a channel that does not end is left alone", async () => {
  const channel = scriptedChannel(() => new Promise(() => {}));
  await using bench = await testBench({ channel, addresses: [hookAddress("ann")] });
  let results: readonly string[] | undefined;
  void bench.ask().then((answer) => {
    results = answer;
  });
  await stepUntil("it is answered", async () => {
    await drainEventLoop(1);
    await bench.clock.advance(1000);
    return results !== undefined;
  });
  assert.deepEqual(results, ["ann did not: no end in time (25000 ms)"]);
});

test("a service that stops ends the tests under way", async () => {
  let inFlight = false;
  const channel = scriptedChannel(async (_, { signal }) => {
    inFlight = true;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new DeliveryFailed("ended", { retryable: true });
  });
  await using bench = await testBench({ channel, addresses: [hookAddress("ann")] });
  const asked = bench.ask();
  await waitFor("it is under way", () => inFlight);
  bench.stop();
  assert.deepEqual(await asked, ["ann did not: ended (0 ms)"]);
});

test("what receivers said is returned though the store cannot keep it", async () => {
  const channel = scriptedChannel(() =>
    Promise.reject(new DeliveryFailed("410 Gone", { retryable: false, address: "gone" })),
  );
  await using bench = await testBench({
    channel,
    addresses: [hookAddress("ann")],
    write: () => Promise.reject(new Unavailable("the disk is full")),
  });
  assert.deepEqual(await bench.ask(), ["ann did not: 410 Gone (0 ms)"]);
});

// guard: tests to a mailbox
test("a mailbox gets only so many tests an hour, whichever addresses lead to it", async () => {
  await using well = await receiverPeer();
  // Webhooks take what is called a mailbox here, with a tag.
  const addresses = Array.from({ length: 7 }, (_, index) =>
    anAddress(`a${index}`, { kind: "email", address: `${well.url}/+${index}` }),
  );
  await using bench = await testBench({ channel: webhooks, addresses });
  const results = await bench.ask();
  const unsent = results.filter((result) => result.includes("not sent: the mailbox was sent all"));
  assert.deepEqual([unsent.length, well.requests.length], [2, 5], results.join("\n"));
});

// guard: tests to confirmed mailboxes
test("a mailbox that nobody confirmed is sent no test, but the link for that, as often as it may be mailed", async () => {
  const sent: string[] = [];
  await using bench = await testBench({
    channel: scriptedChannel(async ({ address }) => {
      sent.push(address);
      return { response: "250 taken" };
    }),
    addresses: [
      anAddress("mail", { address: "ann@example.net", confirmed: false }),
      hookAddress("hook"),
    ],
  });
  const [mail, hook] = await bench.ask();
  assert.equal(
    mail,
    "mail did not: not sent: the address is not confirmed; the link for that was mailed to it again (undefined ms)",
  );
  assert.match(String(hook), /^hook took it: 250 taken/);
  const waiting = await bench.store.write(({ systemMails }) => systemMails.claim({ leaseMs: 1 }));
  assert.deepEqual([waiting?.kind, waiting?.to], ["confirmation", "ann@example.net"]);
  for (let asked = 1; asked < defaultMailLimits.perMailbox; asked += 1) await bench.ask();
  const [refused] = await bench.ask();
  assert.match(String(refused), /not confirmed, and the mailbox was sent all/);
  assert.equal(sent.includes("ann@example.net"), false);
});
