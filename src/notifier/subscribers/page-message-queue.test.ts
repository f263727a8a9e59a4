import assert from "node:assert/strict";
import { test } from "node:test";

import { createSigning } from "../../channels/webhook/signing.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { saveIncident } from "../../store/transactions/save-incident.ts";
import { createSendSlots } from "../send-slots.ts";
import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";
import { subscriberHarness } from "../../../test/harnesses/subscriber-harness.ts";
import { receiverPeer } from "../../../test/peers/webhook-receiver.ts";
import { anIncident, aStatusPage, aSubscriber, minute } from "../../../test/record-builders.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { waitFor } from "../../../test/time/wait-for.ts";

/** Creates a fixture with a page that has a number of subscribers, and an update posted on it. */
async function postTo(fixture: ApiFixture, who: "alice" | "carol", readers: number): Promise<void> {
  const { store, clock } = fixture;
  const accountId = fixture[who].account.id;
  const pageId = `${who}-page`;
  await store.write(async (tx) => {
    await tx.statusPages.insert(aStatusPage(pageId, { accountId, title: `Page of ${who}` }));
    for (let number = 0; number < readers; number += 1)
      await tx.subscribers.insert(aSubscriber(`${who}${number}`, { accountId, pageId }));
    const updates = [{ at: clock.now(), stage: "investigating", text: "" } as const];
    await saveIncident(tx, anIncident(`${who}-trouble`, { accountId, updates }));
  });
}

test("a mail that is refused for now goes again under the same id, and a mailbox that is gone is forgotten", async () => {
  await using fixture = await createApiFixture();
  await using harness = await subscriberHarness(fixture);
  const { server } = harness;
  await postTo(fixture, "alice", 1);
  server.behave({ refuse: { data: [451, "later"] } });
  harness.start();
  await fixture.clock.advance(minute);
  await waitFor("a mail is refused", () => server.refusedMails.length === 1);
  await waitFor("that is stored", () =>
    fixture.logged.some((line) => line.includes("notifier.subscriber_retry")),
  );
  server.behave({});
  const [mail] = await harness.mailsAfter(minute, 1);
  const idOf = (raw = "") => /Message-ID: (\S+)/i.exec(raw)?.[1];
  assert.equal(mail?.headers.get("message-id"), idOf(server.refusedMails[0]?.raw));

  server.behave({ refuse: { rcpt: [550, "5.1.1 no such user"] } });
  await postAgain(fixture);
  await fixture.clock.advance(minute + 1000);
  await waitFor(
    "the subscriber has ended",
    async () => (await fixture.store.subscribers.find("alice0"))?.state === "ended",
  );
  assert.equal((await fixture.store.subscribers.find("alice0"))?.address, undefined);
});

async function postAgain({ store, clock, alice }: ApiFixture): Promise<void> {
  const incident = anIncident("more", {
    accountId: alice.account.id,
    updates: [{ at: clock.now(), stage: "investigating", text: "" }],
  });
  await store.write((tx) => saveIncident(tx, incident));
}

test("a webhook is sent signed JSON, the same on every attempt", async () => {
  await using fixture = await createApiFixture();
  await using harness = await subscriberHarness(fixture);
  await using receiver = await receiverPeer();
  receiver.reply({ status: 503 });
  const accountId = fixture.alice.account.id;
  await fixture.store.write(async (tx) => {
    await tx.statusPages.insert(aStatusPage("page", { accountId, slug: "shop", title: "Shop" }));
    const hook = { kind: "webhook", address: `${receiver.url}/status`, accountId } as const;
    await tx.subscribers.insert(aSubscriber("HOOK", hook));
  });
  await fixture.ask(fixture.alice, "POST /incidents", {
    name: "Payments fail",
    text: "**We** look",
  });
  harness.start();
  await fixture.clock.advance(minute + 1000);
  await waitFor("a first attempt", () => receiver.requests.length === 1);
  await waitFor("that is stored", () =>
    fixture.logged.some((line) => line.includes("notifier.subscriber_retry")),
  );
  receiver.reply({ status: 200 });
  await fixture.clock.advance(minute);
  await waitFor("a second attempt", () => receiver.requests.length === 2);
  const [first, second] = receiver.requests;
  assert.ok(first && second);
  assert.equal(first.path, "/status");
  assert.equal(second.body, first.body);
  const id = String(first.headers["webhook-id"]);
  assert.equal(second.headers["webhook-id"], id);
  const timestamp = String(first.headers["webhook-timestamp"]);
  const { signatureOf } = createSigning(createSealer(new Uint8Array(32)));
  const signature = signatureOf("HOOK", { id, timestamp, body: first.body });
  assert.equal(first.headers["webhook-signature"], signature);
  const { incident, ...body } = JSON.parse(first.body);
  assert.deepEqual(body, {
    type: "statuspage.updated",
    id,
    page: { id: "page", name: "Shop", url: "http://watchpost.example/status/shop" },
    updates: [{ at: "2026-01-05T12:00:00.000Z", stage: "investigating", text: "**We** look" }],
  });
  assert.deepEqual(incident, {
    id: incident.id,
    kind: "incident",
    name: "Payments fail",
    stage: "investigating",
    start: "2026-01-05T12:00:00.000Z",
  });
});

test("accounts take turns, so that whoever posts to one reader waits for no post to many", async () => {
  await using fixture = await createApiFixture();
  await using harness = await subscriberHarness(fixture);
  await postTo(fixture, "alice", 60);
  await postTo(fixture, "carol", 1);
  harness.start();
  const mails = await harness.mailsAfter(minute + 1000, 61);
  const carols = mails.findIndex(({ to }) => to.startsWith("carol"));
  assert.ok(carols < 5, String(carols));
  const ids = new Set(mails.map(({ headers }) => headers.get("message-id")));
  assert.equal(ids.size, 61);
});

test("an alert finds a place beside mails to subscribers that hang", async () => {
  await using fixture = await createApiFixture();
  const slots = createSendSlots(fixture.clock);
  await using harness = await subscriberHarness(fixture, slots);
  const { server } = harness;
  await postTo(fixture, "alice", 50);
  harness.start();
  server.behave({ mailMs: 1 });
  await harness.mailsAfter(minute + 1000, 10);
  server.behave({ hang: "data" });
  const taken = server.mails.length;
  await waitFor(
    "mails hang",
    () => server.reached.filter((step) => step === "data").length > taken,
  );
  await drainEventLoop(200);
  const hanging = server.reached.filter((step) => step === "data").length - taken;
  assert.ok(hanging <= 2, String(hanging));
  const alert = { accountId: "CAROL", primaryId: "CAROL", destination: "email" };
  const slot = slots.claim(alert);
  assert.equal(await slot?.begin(0), true);
  slot?.free();
  server.behave({});
  server.hangUp();
});

test("what is posted on a page that is switched off meanwhile is sent to nobody", async () => {
  await using fixture = await createApiFixture();
  await using harness = await subscriberHarness(fixture);
  const { store, clock } = fixture;
  await postTo(fixture, "alice", 3);
  const accountId = fixture.alice.account.id;
  const page = await store.statusPages.find(accountId, "alice-page");
  assert.ok(page);
  await store.write(({ statusPages }) => statusPages.update({ ...page, enabled: false }));
  harness.start();
  await clock.advance(2 * minute);
  await waitFor("all is dropped", async () => {
    await clock.advance(1000);
    return (await store.pageMessages.sendingAccounts()).length === 0;
  });
  assert.equal(harness.server.mails.length, 0);
});
