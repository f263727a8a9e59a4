import assert from "node:assert/strict";
import { test } from "node:test";

import type { Account } from "../domain/account/account.ts";
import type { Alert } from "../domain/alert/alert.ts";
import {
  noSuppressions,
  type AddressStatus,
  type Suppressions,
} from "../domain/contact/contact.ts";
import type { Mute } from "../domain/contact/mute.ts";
import { silentLog } from "../kit/log.ts";
import { aCheck, aContact, alice, anAddress, anAlert, noon } from "../../test/record-builders.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { filterAlerts } from "./filter-alerts.ts";

interface Case {
  readonly name: string;
  readonly account?: Partial<Account>;
  readonly suppress?: Partial<Suppressions>;
  /** Mute of the address. */
  readonly mute?: Mute;
  readonly status?: AddressStatus;
  readonly confirmed?: boolean;
  readonly kind?: "email" | "pagerduty";
  readonly alert?: Partial<Alert>;
  readonly state?: "passing" | "failing";
  readonly at?: number;
  /** Why it is dropped, the kind under which it goes out, or for how many ms it waits. */
  readonly verdict: string | number;
}

const hour = 3_600_000;
const evening = Date.UTC(2026, 0, 5, 20);

/** Monday noon; ann's address is `mail`, the schedule `Office` is open from 9 to 17. */
const cases: readonly Case[] = [
  { name: "a Down goes out", verdict: "down" },
  {
    name: "a Down to a contact that is gone is dropped",
    alert: { contactId: "gone" },
    verdict: "recipient_gone",
  },
  {
    name: "a Down to an address that is gone is dropped",
    alert: { addressId: "gone" },
    verdict: "recipient_gone",
  },
  {
    name: "a Down to an address that is disabled is dropped",
    status: "disabled",
    verdict: "address_disabled",
  },
  {
    name: "a Down to a mailbox that nobody confirmed waits",
    confirmed: false,
    verdict: 1000,
  },
  {
    name: "a retry to a mailbox that nobody confirmed waits",
    confirmed: false,
    alert: { judged: true, attempts: 5 },
    verdict: 1000,
  },
  {
    name: "a Down that a mailbox suppresses does not wait for its confirmation",
    confirmed: false,
    suppress: { down: true },
    verdict: "suppressed_down",
  },
  {
    name: "an Up to a mailbox that nobody confirmed is dropped, though the Down went to the one before it",
    confirmed: false,
    alert: { kind: "up", outage: "alerted" },
    state: "passing",
    verdict: "address_unconfirmed",
  },
  {
    name: "an Up to an address that was disabled meanwhile is dropped",
    status: "disabled",
    alert: { kind: "up", outage: "alerted" },
    state: "passing",
    verdict: "address_disabled",
  },
  {
    name: "a retry to an address that was disabled meanwhile is dropped",
    status: "disabled",
    alert: { judged: true, attempts: 5 },
    verdict: "address_disabled",
  },
  { name: "an address that was refused is tried again", status: "refused", verdict: "down" },
  {
    name: "an alert of a suspended account waits, until the store holds it",
    account: { status: "suspended" },
    verdict: 1000,
  },
  {
    name: "a deleted account is sent nothing",
    account: { status: "deleted" },
    verdict: "account_deleted",
  },
  {
    name: "an account that wants silence has it",
    account: { suppressAll: true },
    verdict: "account_suppressed",
  },
  {
    name: "an address that wants silence has it",
    suppress: { all: true },
    verdict: "address_suppressed",
  },
  {
    name: "an address without Downs gets none",
    suppress: { down: true },
    verdict: "suppressed_down",
  },
  {
    name: "a Down to an address that is muted for good waits",
    mute: true,
    verdict: 24 * hour,
  },
  {
    name: "an address that is muted until later is sent nothing",
    mute: noon + 1,
    verdict: 1,
  },
  { name: "an address whose mute is over is alerted again", mute: noon, verdict: "down" },
  {
    name: "a Down to a muted address waits though it is not wanted either, so that no Up follows",
    mute: true,
    suppress: { down: true },
    verdict: 24 * hour,
  },
  {
    name: "an Up to an address that is muted is dropped",
    alert: { kind: "up", outage: "alerted" },
    state: "passing",
    mute: true,
    verdict: "address_muted",
  },
  {
    name: "a retry goes on though the address is muted now",
    alert: { judged: true, attempts: 2 },
    mute: true,
    verdict: "down",
  },
  { name: "a first failure goes out as such", alert: { kind: "first" }, verdict: "first" },
  {
    name: "a first failure is a Down where first results are not wanted",
    alert: { kind: "first" },
    suppress: { first: true },
    verdict: "down",
  },
  {
    name: "a first success is dropped where first results are not wanted",
    alert: { kind: "first" },
    state: "passing",
    suppress: { first: true },
    verdict: "suppressed_first",
  },
  { name: "a Down within its window goes out", alert: { schedules: ["Office"] }, verdict: "down" },
  {
    name: "a Down outside its window waits until that opens",
    alert: { schedules: ["Office"] },
    at: evening,
    verdict: 6 * 24 * hour + 13 * hour,
  },
  {
    name: "the window is of the account's own time",
    alert: { schedules: ["Office"] },
    account: { timeZone: "-05:00" },
    at: evening,
    verdict: "down",
  },
  {
    name: "an Up outside its window waits until that opens",
    alert: { kind: "up", outage: "alerted", schedules: ["Office"] },
    state: "passing",
    at: evening,
    verdict: 6 * 24 * hour + 13 * hour,
  },
  {
    name: "an Up outside its window goes to a service that keeps the incident open until then",
    alert: { kind: "up", outage: "alerted", schedules: ["Office"] },
    state: "passing",
    kind: "pagerduty",
    at: evening,
    verdict: "up",
  },
  {
    name: "an Up whose windows were all closed for good is dropped",
    alert: { kind: "up", outage: "alerted", schedules: ["Never"] },
    state: "passing",
    verdict: "outside_window",
  },
  {
    name: "a Down outside its window waits though its kind is not wanted either",
    alert: { schedules: ["Office"] },
    at: evening,
    suppress: { down: true },
    verdict: 6 * 24 * hour + 13 * hour,
  },
  { name: "All is always open", alert: { schedules: ["All"] }, at: evening, verdict: "down" },
  {
    name: "All the time is always open",
    alert: { schedules: ["All the time"] },
    at: evening,
    verdict: "down",
  },
  {
    name: "a schedule that is gone silences nobody",
    alert: { schedules: ["Gone"] },
    at: evening,
    verdict: "down",
  },
  {
    name: "an Up of an outage of which the address was alerted goes out",
    alert: { kind: "up", outage: "alerted" },
    state: "passing",
    verdict: "up",
  },
  {
    name: "an Up of an outage of which nobody was alerted is dropped",
    alert: { kind: "up", outage: "unalerted" },
    state: "passing",
    verdict: "down_not_sent",
  },
  {
    name: "an Up of an outage of which only another address was alerted is dropped",
    alert: { kind: "up", outage: "others" },
    state: "passing",
    verdict: "down_not_sent",
  },
  {
    name: "an Up without an outage is dropped",
    alert: { kind: "up", outage: undefined },
    state: "passing",
    verdict: "down_not_sent",
  },
  {
    name: "an Up goes out where only the Down was not wanted",
    alert: { kind: "up", outage: "unwanted" },
    state: "passing",
    verdict: "up",
  },
  {
    name: "an address without Ups gets none",
    alert: { kind: "up", outage: "alerted" },
    state: "passing",
    suppress: { up: true },
    verdict: "suppressed_up",
  },
  {
    name: "a retry leaves its window unasked",
    alert: { schedules: ["Office"], judged: true, attempts: 2 },
    at: evening,
    verdict: "down",
  },
  {
    name: "a retry goes on though its kind is not wanted any more",
    alert: { judged: true, attempts: 2 },
    suppress: { down: true },
    verdict: "down",
  },
  {
    name: "a retry keeps the kind under which it went out",
    alert: { kind: "first", judged: true, attempts: 2 },
    suppress: { first: true },
    verdict: "down",
  },
  {
    name: "a retry stops where the address wants silence now",
    alert: { judged: true, attempts: 2 },
    suppress: { all: true },
    verdict: "address_suppressed",
  },
  {
    name: "a retry stops where the account wants silence now",
    alert: { judged: true, attempts: 2 },
    account: { suppressAll: true },
    verdict: "account_suppressed",
  },
  {
    name: "a retry waits where the account is suspended now",
    alert: { judged: true, attempts: 2 },
    account: { status: "suspended" },
    verdict: 1000,
  },
  {
    name: "a retry stops where the address is gone now",
    alert: { judged: true, attempts: 2, addressId: "gone" },
    verdict: "recipient_gone",
  },
  {
    name: "a retry stops where the check is gone now",
    alert: { judged: true, attempts: 2, checkId: "gone" },
    verdict: "deleted",
  },
  {
    name: "an attempt that was lost before the alert was judged skips no mute",
    alert: { attempts: 2, possiblySent: true },
    mute: true,
    verdict: 24 * hour,
  },
  {
    name: "an attempt that was lost before the alert was judged skips no window",
    alert: { schedules: ["Office"], attempts: 2, possiblySent: true },
    at: evening,
    verdict: 6 * 24 * hour + 13 * hour,
  },
  {
    name: "an Up that nobody judged before its first attempt was lost is judged at the second",
    alert: { kind: "up", outage: "unalerted", attempts: 2 },
    state: "passing",
    verdict: "down_not_sent",
  },
];

for (const {
  name,
  account,
  suppress,
  mute = false,
  status = "new",
  confirmed = true,
  kind = "email",
  alert: changes,
  state = "failing",
  at = noon,
  verdict,
} of cases) {
  test(name, async () => {
    await using store = await tempStore();
    const alert = await store.write(async (tx) => {
      await tx.accounts.insert({ ...alice, ...account });
      await tx.contacts.insert(
        aContact("ann", {
          addresses: [
            anAddress("mail", {
              kind,
              suppress: { ...noSuppressions, ...suppress },
              mute,
              status,
              confirmed,
            }),
          ],
        }),
      );
      await tx.schedules.put(alice.id, {
        name: "Office",
        days: { monday: { time1: "9:00", time2: "17:00" } },
      });
      await tx.schedules.put(alice.id, { name: "Never", days: {} });
      const check = await tx.checks.insert(aCheck("check"));
      const ours = { contactId: "ann", addressId: "mail" };
      for (const [outage, to] of [
        ["alerted", ours],
        ["unalerted", ours],
        ["unwanted", ours],
        ["others", { contactId: "ben", addressId: "mail" }],
      ] as const) {
        await tx.alerts.insert(anAlert(outage, check, { outage, ...to }));
      }
      await tx.alerts.finishAttempt("alerted", { status: "delivered", at: noon });
      await tx.alerts.finishAttempt("others", { status: "delivered", at: noon });
      await tx.alerts.finishAttempt("unalerted", {
        status: "dropped",
        reason: "outside_window",
        at: noon,
      });
      await tx.alerts.finishAttempt("unwanted", {
        status: "dropped",
        reason: "suppressed_down",
        at: noon,
      });
      const made = anAlert("new", check, { ...ours, ...changes });
      const notice = { ...made.notice, state };
      const claimed = { attempts: 1, possiblySent: false, bundle: undefined, destination: "" };
      const of = { checkId: check.id, primaryId: made.accountId };
      const rest = { ...of, judged: false, retryUntil: noon, ...claimed };
      return { ...made, notice, ...rest, ...changes };
    });
    const { checks, contacts, accounts, alerts, schedules, mailBudget, diagnostics, states } =
      store;
    const { kept, dropped, postponed, failed } = await filterAlerts([alert], {
      checks,
      contacts,
      accounts,
      alerts,
      schedules,
      mailBudget,
      diagnostics,
      states,
      alertMailLimit: 0,
      resolvesIncidents: ({ kind }) => kind === "pagerduty",
      acknowledgesIncidents: ({ kind }) => kind === "pagerduty",
      dropsPastOutages: () => false,
      now: at,
      log: silentLog,
    });
    assert.deepEqual(
      [
        ...kept.map(({ kind }) => kind),
        ...dropped.map(({ reason }) => reason),
        ...postponed.map(({ until }) => until - at),
        ...failed,
      ],
      [verdict],
    );
  });
}

test("an alert that breaks a stage takes no other along", async () => {
  await using store = await tempStore();
  const [poison, sound] = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("ann", { addresses: [anAddress("mail")] }));
    const check = await tx.checks.insert(aCheck("check"));
    const claimed = { attempts: 1, possiblySent: false, bundle: undefined, destination: "" };
    const of = { checkId: check.id, primaryId: alice.id };
    const rest = { ...of, judged: false, retryUntil: noon, ...claimed };
    const to = { contactId: "ann", addressId: "mail" };
    return [
      { ...anAlert("poison", check, { ...to, schedules: ["Broken"] }), ...rest },
      { ...anAlert("sound", check, { ...to, schedules: ["All"] }), ...rest },
    ] as const;
  });
  const { checks, contacts, accounts, alerts, mailBudget, diagnostics, states } = store;
  const schedules = { ...store.schedules, find: () => Promise.reject(new Error("no such table")) };
  const sifted = await filterAlerts([poison, sound], {
    checks,
    contacts,
    accounts,
    alerts,
    schedules,
    mailBudget,
    diagnostics,
    states,
    alertMailLimit: 0,
    resolvesIncidents: () => false,
    acknowledgesIncidents: () => false,
    dropsPastOutages: () => false,
    now: noon,
    log: silentLog,
  });
  assert.deepEqual(
    sifted.failed.map(({ alert, error }) => [alert.id, String(error)]),
    [["poison", "Error: no such table"]],
  );
  assert.deepEqual(
    sifted.kept.map(({ alert }) => alert.id),
    ["sound"],
  );
});
