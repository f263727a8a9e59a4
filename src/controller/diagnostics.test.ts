import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAlert,
  bob,
  carol,
  minute,
  noon,
} from "../../test/record-builders.ts";
import { quietBus } from "../../test/harnesses/quiet-bus.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import type { DiagnosticsRequest } from "../bus/bus.ts";
import { noSuppressions } from "../domain/contact/contact.ts";
import type { DiagnosticsFinding } from "../domain/diagnostics.ts";
import type { DiagnosticsMail } from "../domain/system-mail.ts";
import { Unavailable } from "../kit/errors.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import type { AttemptEnd } from "../store/tables/alerts.ts";
import { createDiagnostics } from "./diagnostics.ts";

const findings: readonly DiagnosticsFinding[] = [
  { tool: "lookup", about: "shop.example", text: "A: NXDOMAIN" },
];
const delivered: AttemptEnd = { status: "delivered", at: noon };

/** Alice's shop is down, and its alerts ended as given, by address. */
async function startDiagnostics(
  ends: Readonly<Record<string, AttemptEnd | undefined>>,
  reply: (request: DiagnosticsRequest) => Promise<readonly DiagnosticsFinding[]> = async () =>
    findings,
) {
  const clock = fakeClock(noon);
  const store = await tempStore({ clock });
  const check = await store.write(async (tx) => {
    await tx.accounts.insert({ ...alice, timeZone: "+02:00" });
    const made = await tx.checks.insert(
      aCheck("shop", { label: "Shop", parameters: { target: "http://u:p@shop.example/" } }),
    );
    await tx.contacts.insert(
      aContact("ann", {
        addresses: [
          anAddress("mail", { address: "ann@example.net" }),
          anAddress("again", { address: "Ann@example.net" }),
          anAddress("other", { address: "other@example.net" }),
          anAddress("hook", { kind: "webhook", address: "http://127.0.0.1/" }),
          anAddress("stopped", {
            address: "stopped@example.net",
            suppress: { ...noSuppressions, all: true },
          }),
          anAddress("nodiag", {
            address: "quiet@example.net",
            suppress: { ...noSuppressions, diagnostics: true },
          }),
        ],
      }),
    );
    for (const [addressId, end] of Object.entries(ends)) {
      const { no, id, accountId } = made;
      const recipient = { contactId: "ann", addressId, outage: "flip", flipId: "flip" };
      await tx.alerts.insert(anAlert(addressId, { no, id, accountId }, recipient));
      if (end !== undefined) {
        await tx.alerts.claim({ leaseMs: minute, limit: 1 });
        await tx.alerts.finishAttempt(addressId, end);
      }
    }
    await tx.diagnostics.insert({
      id: "look",
      accountId: alice.id,
      checkNo: made.no,
      checkId: made.id,
      outage: "flip",
      location: "fra",
      createdAt: noon,
    });
    return made;
  });
  const bus = quietBus(clock);
  const requests: DiagnosticsRequest[] = [];
  bus.serve(
    { code: "fra", region: undefined },
    {
      runJob: () => new Promise(() => {}),
      runDiagnostics(request) {
        requests.push(request);
        return reply(request);
      },
    },
  );
  let serial = 0;
  const ids = { alert: () => `mail ${(serial += 1)}` };
  const stopping = new AbortController();
  const running = createDiagnostics({
    alertMailLimit: 0,
    store,
    bus,
    ids,
    clock,
    log: silentLog,
    meter: noMeter,
  }).run(stopping.signal);
  return {
    clock,
    store,
    check,
    requests,
    finished: () => store.diagnostics.listFinished(check.no, 10),
    async mails(): Promise<readonly DiagnosticsMail[]> {
      const mails: DiagnosticsMail[] = [];
      for (;;) {
        const mail = await store.write((tx) => tx.systemMails.claim({ leaseMs: minute }));
        if (mail === undefined) return mails;
        assert.ok(mail.kind === "diagnosis");
        mails.push(mail);
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await store[Symbol.asyncDispose]();
    },
  };
}

test("the location that detected an outage runs diagnostics, their findings are stored, and each mailbox that was alerted gets them once", async () => {
  await using site = await startDiagnostics({ mail: delivered, again: delivered, hook: delivered });
  await waitFor("it is over", async () => (await site.finished()).length === 1);
  assert.deepEqual(
    site.requests.map(({ type, parameters }) => [type, parameters]),
    [[site.check.type, site.check.parameters]],
  );
  const [kept] = await site.finished();
  assert.deepEqual([kept?.location, kept?.findings], ["fra", findings]);
  const mails = await site.mails();
  assert.deepEqual(
    mails.map(({ addressId, to, timeZone, reports }) => [
      addressId,
      to.toLowerCase(),
      timeZone,
      reports,
    ]),
    [
      [
        "again",
        "ann@example.net",
        "+02:00",
        [
          {
            outage: "flip",
            checkId: site.check.id,
            label: "Shop",
            target: "http://shop.example/",
            downSince: noon,
            location: "fra",
            at: noon,
            findings,
          },
        ],
      ],
    ],
  );
});

/** Another check of Alice's is down as well, and both were alerted in one message. */
async function alertTogether(site: Awaited<ReturnType<typeof startDiagnostics>>): Promise<void> {
  await site.store.write(async (tx) => {
    const mail = await tx.checks.insert(
      aCheck("mail", { label: "Mail", parameters: { target: "mail.example" } }),
    );
    const recipient = { contactId: "ann", addressId: "other", outage: "flip2", flipId: "flip2" };
    await tx.alerts.insert(anAlert("second", mail, recipient));
    await tx.alerts.claim({ leaseMs: minute, limit: 1 });
    const wording = { kind: "down", to: "", from: "", subject: "", body: "", network: "" } as const;
    await tx.alerts.bundle({
      id: "bundle",
      accountId: alice.id,
      message: "{}",
      members: ["other", "second"].map((alertId) => ({ alertId, attempt: 1, wording })),
    });
    await tx.alerts.finishAttempt("second", delivered);
    await tx.diagnostics.insert({
      id: "look2",
      accountId: alice.id,
      checkNo: mail.no,
      checkId: mail.id,
      outage: "flip2",
      location: "fra",
      createdAt: noon,
    });
  });
}

for (const { name, waitMs, labels } of [
  { name: "comes with the last of them", waitMs: 20_000, labels: ["Shop", "Mail"] },
  { name: "does not wait for one that takes too long", waitMs: 2 * minute, labels: ["Shop"] },
]) {
  test(`what is found of checks that were alerted together is one mail, which ${name}`, async () => {
    const replies: ((found: readonly DiagnosticsFinding[]) => void)[] = [];
    await using site = await startDiagnostics(
      { other: delivered },
      () => new Promise((resolve) => replies.push(resolve)),
    );
    await waitFor("it is asked", () => replies.length === 1);
    await alertTogether(site);
    await site.clock.advance(1000);
    await waitFor("both are asked", () => replies.length === 2);
    replies[0]?.(findings);
    await waitFor("one is over", async () => (await site.finished()).length === 1);
    assert.deepEqual(await site.mails(), []);
    await site.clock.advance(waitMs);
    if (labels.length === 2) {
      replies[1]?.(findings);
      await waitFor(
        "both are over",
        async () => site.store.count("diagnostics WHERE ended_at > 0") === 2,
      );
    }
    const mails = await site.mails();
    assert.deepEqual(
      mails.map(({ to, reports }) => [to, reports.map(({ label }) => label)]),
      [["other@example.net", labels]],
    );
    replies[1]?.(findings);
  });
}

const notMailed: readonly {
  readonly name: string;
  readonly ends: Parameters<typeof startDiagnostics>[0];
}[] = [
  { name: "an address that wants no diagnostics", ends: { nodiag: delivered } },
  { name: "an address that was unsubscribed meanwhile", ends: { stopped: delivered } },
  { name: "an address that is no mailbox", ends: { hook: delivered } },
  { name: "an alert that still waits for its delay", ends: { mail: undefined } },
  {
    name: "an alert that was dropped",
    ends: { mail: { status: "dropped", at: noon, reason: "outside_window" } },
  },
];

for (const { name, ends } of notMailed) {
  test(`no mail goes out because of ${name}`, async () => {
    await using site = await startDiagnostics(ends);
    await waitFor("it is over", async () => (await site.finished()).length === 1);
    assert.deepEqual(await site.mails(), []);
  });
}

test("an address that opted out of the down alert, but not of the recovery, gets the diagnostics", async () => {
  await using site = await startDiagnostics({
    other: { status: "dropped", at: noon, reason: "suppressed_down" },
  });
  await waitFor("it is over", async () => (await site.finished()).length === 1);
  assert.deepEqual(
    (await site.mails()).map(({ to }) => to),
    ["other@example.net"],
  );
});

test("a location that does not reply is asked three times, and then no more", async () => {
  await using site = await startDiagnostics({ mail: delivered }, () =>
    Promise.reject(new Unavailable("location fra does not answer")),
  );
  await waitFor("it was asked", () => site.requests.length === 1);
  for (const count of [2, 3]) {
    await site.clock.advance(4 * minute);
    await waitFor("it was asked again", () => site.requests.length === count);
  }
  await site.clock.advance(4 * minute);
  await waitFor(
    "it is abandoned",
    () => site.store.count("diagnostics WHERE ended_at IS NULL") === 0,
  );
  assert.deepEqual([site.requests.length, await site.finished()], [3, []]);
});

test("a check that was deleted needs no diagnostics", async () => {
  const gone = Promise.withResolvers<void>();
  await using site = await startDiagnostics({}, async () => {
    await gone.promise;
    return findings;
  });
  await waitFor("it is under way", () => site.requests.length === 1);
  await site.store.write(({ checks }) => checks.remove(alice.id, "shop", noon));
  gone.resolve();
  await site.clock.advance(10 * minute);
  await waitFor(
    "nothing waits",
    () => site.store.count("diagnostics WHERE ended_at IS NULL") === 0,
  );
});

test("many diagnostics of a primary account and its subaccounts leave places to the next account", async () => {
  const clock = fakeClock(noon);
  await using store = await tempStore({ clock });
  await store.write(async (tx) => {
    for (const account of [alice, bob, carol]) await tx.accounts.insert(account);
    for (const { id: accountId } of [alice, bob, carol]) {
      const check = await tx.checks.insert(aCheck(`of ${accountId}`, { accountId }));
      for (let no = 0; no < (accountId === carol.id ? 1 : 15); no += 1)
        await tx.diagnostics.insert({
          id: `${accountId} ${no}`,
          accountId,
          checkNo: check.no,
          checkId: check.id,
          outage: "outage",
          location: "fra",
          createdAt: accountId === carol.id ? noon : noon - 1,
        });
    }
  });
  const asked: string[] = [];
  const request = ({ accountId }: DiagnosticsRequest): Promise<never> => {
    asked.push(accountId);
    return new Promise(() => {});
  };
  const diagnostics = createDiagnostics({
    store,
    bus: { diagnostics: { request: (_, wanted) => request(wanted) } },
    alertMailLimit: 0,
    ids: { alert: () => "id" },
    clock,
    log: silentLog,
    meter: noMeter,
  });
  const stopping = new AbortController();
  const running = diagnostics.run(stopping.signal);
  await waitFor("the other account's", async () => {
    await clock.advance(1000);
    return asked.includes(carol.id);
  });
  assert.equal(asked.filter((accountId) => accountId === alice.id).length, 8);
  stopping.abort();
  await clock.advance(1000);
  await running;
});
