import assert from "node:assert/strict";

import type { ApiFixture, Person } from "./api-fixture.ts";
import { aFlip, anAlert, aResult } from "./record-builders.ts";

export const recordKinds = [
  "account",
  "address",
  "check",
  "contact",
  "group",
  "maintenance",
  "notification",
  "profile",
  "push",
  "result",
  "schedule",
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** One record of every kind that somebody's account has, by its id, and the secret of its PUSH check. */
export type AccountFixture = Readonly<Record<RecordKind | "checktoken", string>>;

/** A word that stands in every text of somebody's records, and nowhere else. */
export function markerOf({ account }: Person): string {
  return `${account.name.toLowerCase()}sown`;
}

const week = { monday: { time1: "8:30", time2: "17:00" } };

/** Makes somebody a record of every kind, with a history. */
export async function createAccountFixture(cast: ApiFixture, who: Person): Promise<AccountFixture> {
  const mark = markerOf(who);
  const ask = async (request: string, parameters: object) => {
    const { status, body, text } = await cast.ask(who, request, parameters);
    assert.equal(status, 200, text);
    return body;
  };
  // Others may know its name and ask for it, but not that of the other one.
  const schedule = `${who.account.name}Hours`;
  const [{ _id: contact, addresses }] = await Promise.all([
    ask("POST /contacts", {
      name: mark,
      custrole: "edit",
      newaddresses: [
        { type: "email", address: `${mark}@example.com` },
        { type: "webhook", address: `https://${mark}.example/`, headers: { "x-key": mark } },
      ],
    }),
    ask("PUT /accounts", { name: mark }),
    ask("PUT /branding", { from: mark, downtext: mark }),
    ask("PUT /contacts", { id: who.contact.id, name: mark }),
    ...[schedule, mark].map((id) => ask("PUT /schedules", { id, data: week })),
  ]);
  const [address = ""] = Object.keys(addresses);
  const { _id: group } = await ask("POST /contactgroups", { name: mark, members: [contact] });
  const { _id: profile } = await ask("POST /notificationprofiles", {
    name: mark,
    notifications: [{ [group]: { schedule, delay: 5 } }],
  });
  const common = { label: mark, description: mark, tags: [mark], enabled: true };
  const { _id: push, parameters } = await ask("POST /checks", {
    ...common,
    type: "PUSH",
    fields: { [mark]: { name: mark, min: 0, max: 1 } },
    notifications: [{ [profile]: schedule }, { [address]: "All" }],
  });
  const { _id: check } = await ask("POST /checks", {
    ...common,
    type: "FTP",
    target: `${mark}.example`,
    username: mark,
    password: mark,
    contentstring: mark,
    dep: push,
  });
  const planned = { name: mark, duration: 5, cron: "0 2 * * *", checklist: [check, push] };
  const { ok: _ok, message: _message, ...made } = await ask("POST /maintenance", planned);
  const [maintenance = ""] = Object.keys(made);
  const recipient = { contactId: contact, addressId: address };
  const history = await remember(cast, { who, push, recipient });
  const { checktoken } = parameters;
  const account = who.account.id;
  const own = { account, address, check, contact, group, maintenance, profile, push, schedule };
  return { ...own, ...history, checktoken };
}

/** Lets somebody's check have failed, and somebody have been told. */
async function remember(
  { store, clock, deps }: ApiFixture,
  {
    who,
    push,
    recipient,
  }: {
    readonly who: Person;
    readonly push: string;
    readonly recipient: { readonly contactId: string; readonly addressId: string };
  },
): Promise<Pick<AccountFixture, "notification" | "result">> {
  const found = await store.checks.find(who.account.id, push);
  assert.ok(found);
  const { check } = found;
  const at = clock.now();
  const mark = markerOf(who);
  const said = { text: mark, message: mark };
  const [flip, alert] = [deps.ids.alert(), deps.ids.alert()];
  await store.write(async (tx) => {
    await tx.results.append(aResult(check.no, at, { ...said, passed: false, reason: "metric" }));
    await tx.states.flip(aFlip(check.no, { ...said, id: flip, at, since: at }));
    await tx.alerts.insert(anAlert(alert, check, { ...recipient, flipId: flip, createdAt: at }));
    await tx.alerts.setRendered(alert, {
      kind: "down",
      to: `${mark}@example.com`,
      from: "watchpost@example.com",
      subject: `DOWN: ${mark}`,
      body: mark,
      network: "smtp",
    });
    await tx.alerts.finishAttempt(alert, { status: "delivered", at });
  });
  return { result: `${push}-${at}`, notification: `${push}-${alert}` };
}
