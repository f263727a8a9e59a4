import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { createEmailChannel } from "../../channels/email.ts";
import { createMailer } from "../../channels/mail/mailer.ts";
import { createSenders } from "../../channels/mail/senders.ts";
import { createUnsubscribeLinks } from "../../channels/mail/unsubscribe.ts";
import { createWebhookChannel } from "../../channels/webhook.ts";
import type { Address } from "../../domain/contact/contact.ts";
import { DeliveryFailed, type AddressRefusal } from "../../kit/errors.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
  type NotifierHarnessOptions,
} from "../../../test/harnesses/notifier-harness.ts";
import { receiverPeer } from "../../../test/peers/webhook-receiver.ts";
import { smtpPeer } from "../../../test/peers/smtp.ts";
import { alice, anAddress, minute, noon } from "../../../test/record-builders.ts";

const url = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));

/** A bench whose receiver behaves as a test asks. */
async function refusingBench(
  options: NotifierHarnessOptions = {},
): Promise<
  NotifierHarness & { readonly behave: (how: AddressRefusal | "take" | "fail" | "later") => void }
> {
  let how = "take";
  const bench = await notifierHarness({
    ...options,
    async sender() {
      if (how === "take") return { response: "200 OK" };
      if (how === "later") throw new DeliveryFailed("503 later", { retryable: true });
      const address = how === "gone" || how === "refused" ? how : undefined;
      throw new DeliveryFailed(`4xx ${how}`, { retryable: false, address });
    },
  });
  return {
    ...bench,
    behave(next) {
      how = next;
    },
  };
}

/** A bench with an attempt under way that is refused once `refuse` is called. */
async function slowBench(): Promise<NotifierHarness & { readonly refuse: () => void }> {
  const inFlight = Promise.withResolvers<never>();
  const bench = await notifierHarness({ sender: () => inFlight.promise });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => bench.sent.length > 0);
  const failure = new DeliveryFailed("410 Gone", { retryable: false, address: "gone" });
  return { ...bench, refuse: () => inFlight.reject(failure) };
}

async function addressesOf({ store }: NotifierHarness): Promise<readonly Address[]> {
  const contact = await store.contacts.find(alice.id, "ann");
  return contact?.addresses ?? [];
}

async function standing(bench: NotifierHarness): Promise<readonly unknown[]> {
  const addresses = await addressesOf(bench);
  return addresses.map(({ status, refusal }) =>
    refusal === undefined ? status : `${status}: ${refusal.reason}`,
  );
}

async function change(bench: NotifierHarness, changes: Partial<Address>): Promise<void> {
  await bench.store.write(async ({ contacts }) => {
    const contact = await contacts.find(alice.id, "ann");
    assert.ok(contact);
    const addresses = contact.addresses.map((address) => ({ ...address, ...changes }));
    await contacts.update({ ...contact, addresses });
  });
}

async function endsAs(bench: NotifierHarness, ...expected: readonly string[]): Promise<void> {
  await bench.until(`it ends as ${expected.join(", ")}`, async () => {
    const ends = await bench.ends();
    return ends.length === expected.length && ends.every((end) => !end.includes("waiting"));
  });
  assert.deepEqual(await bench.ends(), expected);
}

suite("an address", () => {
  test("that is gone is sent nothing more, and says why", async () => {
    await using bench = await refusingBench();
    bench.behave("gone");
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 4xx gone");
    assert.deepEqual(await standing(bench), ["disabled: 4xx gone"]);
    assert.ok(bench.events.includes("notifier.address_refused"));
    bench.behave("take");
    await bench.flip("failing", "passing");
    await bench.flip("passing", "failing");
    await endsAs(bench, "first failed 4xx gone", "down dropped address_disabled");
    assert.equal(bench.sent.length, 1);
  });

  test("that leads elsewhere is alerted again", async () => {
    await using bench = await refusingBench({ addresses: [hookAddress("ann")] });
    bench.behave("gone");
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 4xx gone");
    await change(bench, { status: "new", refusal: undefined, address: "http://else.example.net/" });
    bench.behave("take");
    await bench.flip("failing", "passing");
    await bench.flip("passing", "failing");
    await endsAs(bench, "first failed 4xx gone", "down delivered");
    assert.equal(bench.sent.at(-1)?.address, "http://else.example.net/");
  });

  test("that refuses is tried with the next alert, and an acceptance makes it new", async () => {
    await using bench = await refusingBench();
    bench.behave("refused");
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 4xx refused");
    assert.deepEqual(await standing(bench), ["refused: 4xx refused"]);
    bench.behave("take");
    await bench.flip("failing", "passing");
    await bench.flip("passing", "failing");
    await endsAs(bench, "first failed 4xx refused", "down delivered");
    assert.deepEqual(await standing(bench), ["new"]);
  });

  test("is not marked for a failure that is not about it", async () => {
    await using bench = await refusingBench();
    bench.behave("fail");
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 4xx fail");
    assert.deepEqual(await standing(bench), ["new"]);
    assert.ok(!bench.events.includes("notifier.address_refused"));
  });

  test("that was disabled meanwhile ends the retries to it", async () => {
    await using bench = await refusingBench();
    bench.behave("later");
    await bench.flip(undefined, "failing");
    await bench.until("it was tried", () => bench.sent.length > 0);
    await change(bench, { status: "disabled", refusal: { at: 0, reason: "410 Gone" } });
    await endsAs(bench, "first dropped address_disabled");
  });

  test("takes no neighbour along", async () => {
    await using bench = await notifierHarness({
      addresses: [hookAddress("gone"), hookAddress("well")],
      notifications: [{ ann: "All" }],
      async sender({ address }) {
        if (address.includes("well")) return { response: "200 OK" };
        throw new DeliveryFailed("410 Gone", { retryable: false, address: "gone" });
      },
    });
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 410 Gone", "first delivered");
    assert.deepEqual(await standing(bench), ["disabled: 410 Gone", "new"]);
  });

  test("that is changed while a refusal of where it led comes back is not marked for it", async () => {
    await using bench = await slowBench();
    await change(bench, { address: "http://else.example.net/" });
    bench.refuse();
    await endsAs(bench, "first failed 410 Gone");
    assert.deepEqual(await standing(bench), ["new"]);
  });

  test("keeps a change that was made while it was marked", async () => {
    await using bench = await slowBench();
    bench.refuse();
    await change(bench, { mute: noon + minute });
    await endsAs(bench, "first failed 410 Gone");
    const [address] = await addressesOf(bench);
    assert.deepEqual([address?.status, address?.mute], ["disabled", noon + minute]);
  });

  test("of a mailbox that the mail server does not know is disabled", async () => {
    await using server = await smtpPeer({ refuse: { rcpt: [550, "5.1.1 no such user"] } });
    const mailer = createMailer({
      url: new Secret(server.url),
      senders: createSenders({ own: "watchpost@example.org", domains: [] }),
    });
    const channel = createEmailChannel({
      mailer,
      unsubscribing: createUnsubscribeLinks({ url, sealer }),
    });
    await using bench = await notifierHarness({ channel, addresses: [anAddress("ann")] });
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 550 5.1.1 no such user");
    assert.deepEqual(await standing(bench), ["disabled: 550 5.1.1 no such user"]);
    channel.close();
  });

  test("behind a receiver that says 410 is disabled", async () => {
    await using receiver = await receiverPeer();
    receiver.reply({ status: 410, body: "no more of this" });
    await using bench = await notifierHarness({
      channel: createWebhookChannel({ url, sealer }),
      addresses: [anAddress("ann", { kind: "webhook", address: receiver.url })],
    });
    await bench.flip(undefined, "failing");
    await endsAs(bench, "first failed 410 Gone: no more of this");
    assert.deepEqual(await standing(bench), ["disabled: 410 Gone: no more of this"]);
  });
});
