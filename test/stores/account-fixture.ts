import assert from "node:assert/strict";

import type { ApiFixture, Person } from "../api-fixture.ts";
import { createResources } from "../../src/api/registry.ts";
import type { Resource } from "../../src/api/operation.ts";
import type { Check } from "../../src/domain/check.ts";
import { aFlip, anAlert, aResult } from "../record-builders.ts";

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

/** The kinds of records that the ids of a resource belong to, where those records are made below. Records of other resources are made from their example. */
const kindsByResource: Readonly<Record<string, readonly RecordKind[]>> = {
  accounts: ["account"],
  audit: ["contact"],
  branding: ["contact"],
  calendar: ["contact"],
  checks: ["check", "push"],
  contactgroups: ["group"],
  contacts: ["contact"],
  dependents: ["address", "check", "contact", "group", "profile", "push"],
  diagnostics: ["check", "push"],
  heartbeataliases: ["push"],
  importedhistories: ["check", "push"],
  imports: ["check", "contact", "maintenance", "push"],
  info: ["check"],
  maintenance: ["maintenance"],
  notificationprofiles: ["profile"],
  notifications: ["push"],
  results: ["check", "push"],
  schedules: ["schedule"],
  secondfactors: ["contact"],
  sessions: ["contact"],
  statuses: ["check", "push"],
  updates: ["check"],
};

/** The kinds of records that the ids of a resource belong to: by default one that is named like the resource. */
export function kindsOf(resource: string): readonly string[] {
  return kindsByResource[resource] ?? [resource];
}

/** The ids of one record of every kind that an account has, and the secret of its PUSH check. */
export type AccountFixture = Readonly<Record<RecordKind | "checktoken", string>> & {
  /** The ids of records that were made from the example of their resource, by its name. */
  readonly others: Readonly<Record<string, string>>;
};

export function idOf(fixture: AccountFixture, kind: string): string {
  const known = recordKinds.find((each) => each === kind);
  const id = known === undefined ? fixture.others[kind] : fixture[known];
  assert.ok(id, `the account has no record of the kind ${kind}`);
  return id;
}

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
  await recordDown(cast, { who, id: check, flip: cast.deps.ids.alert() });
  const { checktoken } = parameters;
  const account = who.account.id;
  const own = { account, address, check, contact, group, maintenance, profile, push, schedule };
  const resources = createResources(cast.deps).filter(
    ({ name }) => kindsByResource[name] === undefined,
  );
  return { ...own, ...history, checktoken, others: await createFromExamples(cast, who, resources) };
}

/** Creates a record of each resource from the example of its POST, and returns their ids by the name of the resource. */
export async function createFromExamples(
  cast: ApiFixture,
  who: Person,
  resources: readonly Resource[],
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  // One after the other, status pages first: subscribers and incidents need one.
  const isFirst = ({ name }: Resource): number => Number(name === "statuspages");
  for (const { name, operations } of resources.toSorted((a, b) => isFirst(b) - isFirst(a))) {
    const { example, input } = operations.POST ?? {};
    assert.ok(example, `the resource has no example of a POST ${JSON.stringify(name)}`);
    const named = "name" in (input?.shape ?? {}) ? { name: markerOf(who) } : {};
    const { status, body, text } = await cast.ask(who, `POST /${name}`, { ...example, ...named });
    assert.equal(status, 200, text);
    ids[name] = String(body._id);
  }
  return ids;
}

/** Returns whether all of the records are still there. */
export async function haveRecords(
  cast: ApiFixture,
  who: Person,
  others: AccountFixture["others"],
): Promise<boolean> {
  const found = await Promise.all(
    Object.entries(others).map(async ([name, id]) => {
      const { body } = await cast.ask(who, `GET /${name}/${id}`);
      return body._id === id;
    }),
  );
  return found.every(Boolean);
}

/** Records a failed run of a check, and that it is down since. */
async function recordDown(
  { store, clock }: ApiFixture,
  { who, id, flip }: { readonly who: Person; readonly id: string; readonly flip: string },
): Promise<{ readonly check: Check; readonly at: number }> {
  const found = await store.checks.find(who.account.id, id);
  assert.ok(found);
  const { check } = found;
  const at = clock.now();
  const mark = markerOf(who);
  const said = { text: mark, message: mark };
  const { revision } = check;
  await store.write(async (tx) => {
    await tx.results.append(aResult(check.no, at, { ...said, passed: false, reason: "metric" }));
    assert.ok(
      await tx.states.flip(aFlip(check.no, { ...said, id: flip, at, since: at, revision })),
    );
  });
  return { check, at };
}

/** Records that the account's check went down, and an alert that was delivered for it. */
async function remember(
  cast: ApiFixture,
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
  const { ids } = cast.deps;
  const [flip, alert] = [ids.alert(), ids.alert()];
  const { check, at } = await recordDown(cast, { who, id: push, flip });
  const mark = markerOf(who);
  await cast.store.write(async (tx) => {
    await tx.alerts.insert(
      anAlert(alert, check, { ...recipient, flipId: flip, outage: flip, createdAt: at }),
    );
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
