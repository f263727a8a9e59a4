import { systemClock } from "../../src/kit/clock.ts";
import type { HookServer } from "./hooks.ts";
import type { Acknowledged, Installation, PushCheck } from "./installation.ts";
import type { Beat, Observation } from "./judges/judge-states.ts";
import type { Random } from "./random.ts";
import type { Target, Targets } from "./targets.ts";
import type { Change } from "./judges/timeline.ts";

/** A check, and all that is known of it at the end. */
export interface StormCheck extends PushCheck {
  /** Target of the check; undefined if it waits for heartbeats. */
  readonly target: Target | undefined;
  readonly sens: number;
  readonly intervalMinutes: number;
  /** Whether missing heartbeats fail it. */
  readonly isStaleAfterSilence: boolean;
  readonly observations: Observation[];
  readonly beats: Beat[];
}

/** A check that is changed while it runs. */
export interface ChangedCheck extends StormCheck {
  readonly notifications: readonly object[];
  readonly inactive: Change[];
  readonly muted: Change[];
  readonly edited: Change[];
  readonly acknowledged: Change[];
}

/** A webhook that is alerted of the checks of an account. */
export interface StormAddress {
  readonly name: string;
  readonly server: HookServer;
  readonly path: string;
  readonly contact: string;
  readonly muted: Change[];
  readonly suppressed: Change[];
}

export interface ChangedAccount {
  readonly site: Installation;
  readonly id: string;
  readonly checks: readonly [ChangedCheck, ...ChangedCheck[]];
  readonly suspended: Change[];
  /** Alerted at once, and after a minute; their server answers well. */
  readonly prompt: StormAddress;
  readonly delayed: StormAddress;
  /** Alerted at once, and reminded every minute until somebody acknowledges the outage. */
  readonly reminded: StormAddress;
  /** Alerted of what goes down while its schedule is open. */
  readonly gate: StormAddress;
  readonly setGate: (isOpen: boolean) => Promise<Acknowledged>;
  /** Its server misbehaves. */
  readonly rough: StormAddress;
  /** Never alerted. */
  readonly silent: readonly StormAddress[];
  /** Members of a group, notified in sequence. */
  readonly members: StormAddress[];
  readonly addMember: () => Promise<void>;
  /** A mailbox. */
  readonly leaver: {
    readonly mailbox: string;
    readonly contact: string;
    readonly address: string;
    readonly suppressed: Change[];
  };
}

export interface Counts {
  /** Heartbeat checks that fail when heartbeats are missing, and checks with a target. */
  readonly push: number;
  readonly stale: number;
  readonly probed: number;
}

interface World {
  readonly site: Installation;
  readonly targets: Targets;
  readonly random: Random;
}

/** Short enough for heartbeats to become overdue within a storm. */
export const STALE_AFTER_MS = 60_000;
const INTERVAL_MINUTES = 1;
const PROBED_TIMEOUT_S = 5;

/** From the first failing run until the last recheck, each after a second, and some more. */
export function confirmMs(sens: number): number {
  return (sens + 1) * (PROBED_TIMEOUT_S + 1) * 1000 + 5000;
}

export async function makeChecks(
  { site, targets, random }: World,
  {
    account,
    counts: { push, stale, probed },
    notifications,
  }: {
    readonly account: string;
    readonly counts: Counts;
    readonly notifications: readonly object[];
  },
): Promise<readonly StormCheck[]> {
  const make = async (
    parameters: object,
    facts: Pick<StormCheck, "target" | "sens" | "isStaleAfterSilence">,
  ): Promise<StormCheck> => {
    const { body } = await site.insist("POST checks", {
      customerid: account,
      enabled: true,
      notifications,
      sens: facts.sens,
      // Every outage is judged by its first runs: waits would only make the storm longer.
      recheckwait: 0,
      ...parameters,
    });
    const token = String(body.parameters.checktoken ?? "");
    return {
      ...facts,
      id: body._id,
      token,
      intervalMinutes: INTERVAL_MINUTES,
      observations: [],
      beats: [],
    };
  };
  const fields = { one: { name: "load", min: 0, max: 1 } };
  const heartbeats = Array.from({ length: push }, (_, index) =>
    make(
      { type: "PUSH", label: `heartbeats ${index}`, interval: 60, fields },
      { target: undefined, sens: 0, isStaleAfterSilence: false },
    ),
  );
  const silences = Array.from({ length: stale }, (_, index) =>
    make(
      {
        type: "PUSH",
        label: `silence ${index}`,
        interval: INTERVAL_MINUTES,
        fields,
        oldresultfail: true,
      },
      { target: undefined, sens: 1, isStaleAfterSilence: true },
    ),
  );
  const looking = Array.from({ length: probed }, async (_, index) => {
    const sens = random.pick([0, 1, 2]);
    const target = index % 3 === 2 ? await targets.port() : targets.http();
    return make(
      {
        ...target.parameters,
        label: `target ${index}`,
        interval: INTERVAL_MINUTES,
        threshold: PROBED_TIMEOUT_S,
      },
      { target, sens, isStaleAfterSilence: false },
    );
  });
  return Promise.all([...heartbeats, ...silences, ...looking]);
}

const WHOLE_DAY = { allday: true };
const NEVER = { disabled: true };
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const week = (day: object): object => Object.fromEntries(DAYS.map((name) => [name, day]));
/** Closed now, and whichever way a storm sets the clock; what waits for it has an end. */
const openInDays = (days: number): object => ({
  ...week(NEVER),
  [DAYS[(new Date(systemClock.now()).getUTCDay() + 6 + days) % 7] ?? ""]: WHOLE_DAY,
});

/** Makes a subaccount whose checks, contacts and schedules are changed while they are in use. */
export async function makeChangedAccount(
  world: World,
  {
    index,
    counts,
    hasDelays,
    wellBehaved,
    misbehaving,
  }: {
    readonly index: number;
    readonly counts: Counts;
    readonly hasDelays: boolean;
    readonly wellBehaved: HookServer;
    readonly misbehaving: HookServer;
  },
): Promise<ChangedAccount> {
  const { site } = world;
  const mailbox = `leaver${index}@example.net`;
  const { body: account } = await site.insist("POST accounts", {
    name: `Account ${index}`,
    contactname: "Leaver",
    email: mailbox,
    timezone: "0",
    location: "wlw",
  });
  const id: string = account._id;
  const { body: contacts } = await site.insist(`GET contacts?customerid=${id}`);
  const [leaverContact = ""] = Object.keys(contacts);
  const [leaverAddress = ""] = Object.keys(contacts[leaverContact].addresses);

  const setSchedule = (name: string, data: object): Promise<Acknowledged> =>
    site.insist(`PUT schedules/${name}`, { customerid: id, data });
  const setGate = (isOpen: boolean): Promise<Acknowledged> =>
    setSchedule("Gate", isOpen ? week(WHOLE_DAY) : openInDays(3));
  await setSchedule("Closed", week(NEVER));
  await setGate(true);

  const addAddress = async (
    name: string,
    server: HookServer,
    more: object = {},
  ): Promise<StormAddress> => {
    const path = `/${index}/${name}`;
    const { body } = await site.insist("POST contacts", {
      customerid: id,
      name,
      custrole: "notify",
      newaddresses: [{ address: `${server.url}${path}`, type: "webhook", ...more }],
    });
    return { name, server, path, contact: body._id, muted: [], suppressed: [] };
  };
  const prompt = await addAddress("prompt", wellBehaved);
  const delayed = await addAddress("delayed", wellBehaved);
  const reminded = await addAddress("reminded", wellBehaved);
  const gate = await addAddress("gate", wellBehaved);
  const rough = await addAddress("rough", misbehaving);
  const closed = await addAddress("closed", wellBehaved);
  const muted = await addAddress("muted", misbehaving, { mute: true });

  const members: StormAddress[] = [];
  const { body: group } = await site.insist("POST contactgroups", { customerid: id, name: "Team" });
  const addMember = async (): Promise<void> => {
    const member = await addAddress(`member${members.length}`, wellBehaved);
    await site.insist(`PUT contactgroups/${group._id}`, {
      customerid: id,
      members: [member.contact],
    });
    members.push(member);
  };
  await addMember();

  const notifications = [
    { [prompt.contact]: "All" },
    { [delayed.contact]: { schedule: "All", delay: hasDelays ? 1 : 0 } },
    { [reminded.contact]: { schedule: "All", delay: 0, repeat: 1 } },
    { [gate.contact]: "Gate" },
    { [rough.contact]: "All" },
    { [closed.contact]: "Closed" },
    { [muted.contact]: "All" },
    { [leaverContact]: "All" },
    { [group._id]: "All" },
  ];
  const checks = await makeChecks(world, { account: id, counts, notifications });
  const [first, ...rest] = checks.map((check): ChangedCheck => ({
    ...check,
    notifications,
    inactive: [],
    muted: [],
    edited: [],
    acknowledged: [],
  }));
  if (first === undefined) throw new Error("an account without checks has nothing to change");
  return {
    site,
    id,
    checks: [first, ...rest],
    suspended: [],
    prompt,
    delayed,
    reminded,
    gate,
    setGate,
    rough,
    silent: [closed, muted],
    members,
    addMember,
    leaver: { mailbox, contact: leaverContact, address: leaverAddress, suppressed: [] },
  };
}
