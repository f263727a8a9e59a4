import { sleep, systemClock } from "../../src/kit/clock.ts";
import { MAX_UNASKED } from "../../src/bus/nats/location-link.ts";
import { presenceSubject } from "../../src/bus/nats/subjects.ts";
import { regions } from "../../src/domain/location.ts";
import { closedPort } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import type { Attack, Attacker } from "./attack.ts";
import type { MessageFlood } from "./attacking/messages.ts";
import { createClient, type Client } from "./client.ts";
import { hostileProbe, type HostileProbe } from "./hostile-probe.ts";
import type { Intrusion } from "./intrusion.ts";
import {
  HONEST_REGION,
  locationIsLive,
  type HostileLocations,
  type LocationCredentials,
} from "./locations.ts";

const BEAT_INTERVAL_MS = 2000;
const LOOK_MS = 250;
const MAX_DURATION_MS = 60_000;
const CHECKS = 4;
const SECRET = "passwordForTheTarget5d21";

/** Attacks possible with the NATS credentials of one location. */
export const locationAttacks: readonly Attack[] = [
  flood({
    messages: "beats",
    perSecond: 25_000,
    what: "25,000 presence beats a second of ever new probes, by the credentials of one location",
  }),
  flood({
    messages: "junk",
    perSecond: 2000,
    what: "2,000 messages of 20 kB a second as presence and as replies, by the credentials of one location",
  }),
  {
    name: "location-region",
    what: "four claims a second to be in another region or another location, answers in the name of another location, and forged results of whatever comes",
    needsLocations: true,
    begin: async () => [],
    intrude: claimRegions,
  },
];

interface Flooding {
  readonly messages: MessageFlood["what"];
  readonly perSecond: number;
  readonly what: string;
}

function flood({ messages, perSecond, what }: Flooding): Attack {
  const name = `location-${messages}`;
  return {
    name,
    what,
    needsLocations: true,
    begin: async (attacker) => [
      {
        kind: "messages",
        name: messages,
        location: locationsOf(attacker).flooding,
        perSecond,
        what: messages,
      },
    ],
    intrude: (attacker) => watchCutOff(name, attacker),
  };
}

function locationsOf({ locations }: Attacker): HostileLocations {
  if (locations === undefined) throw new Error("this attack needs locations on other machines");
  return locations;
}

interface MadeCheck {
  readonly _id: string;
  readonly state?: number;
}

function ownerOf({ base, victim }: Attacker, localAddress: string): Client {
  return createClient({ base, token: victim.tokens[0] ?? "", localAddress, isKept: true });
}

/** Checks of a port of this machine in one region. */
function addChecks(owner: Client, region: string, parameters: object): Promise<MadeCheck[]> {
  return Promise.all(
    Array.from({ length: CHECKS }, (_, index) =>
      owner.api("POST checks", {
        type: "HTTP",
        label: `${region} ${index}`,
        interval: 1,
        sens: 0,
        enabled: true,
        runlocations: [region],
        ...parameters,
      }),
    ),
  );
}

async function statesOf(owner: Client, checks: readonly MadeCheck[]): Promise<readonly unknown[]> {
  return Promise.all(
    checks.map(async ({ _id }) => {
      const { state }: MadeCheck = await owner.api(`GET checks/${_id}`);
      return state;
    }),
  );
}

/** Until the signal aborts. */
async function beatOn({ sayPresent }: HostileProbe, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    sayPresent();
    await sleep(systemClock, BEAT_INTERVAL_MS, signal);
  }
}

/** Looks whether a location that floods is cut off and named, and whether a check that it alone ran keeps its state. */
async function watchCutOff(name: string, attacker: Attacker): Promise<Intrusion> {
  const { base, targets } = attacker;
  const { flooding } = locationsOf(attacker);
  const owner = ownerOf(attacker, "127.45.0.1");
  const setUp = new AbortController();
  const probe = await hostileProbe(flooding);
  const beating = beatOn(probe, setUp.signal);
  await locationIsLive(owner, flooding.code);
  const checks = await addChecks(owner, flooding.region, {
    target: `http://127.0.0.1:${targets.web}/ambiguous-json`,
  });
  await waitFor("its checks are up", async () =>
    (await statesOf(owner, checks)).every((state) => state === 1),
  );
  return async (signal) => {
    const stranger = createClient({ base, token: "", localAddress: "127.45.0.2", isKept: false });
    const tried = { "looks at readiness": 0 };
    const shown = { "readiness that names it": 0, "checks that no location runs": 0 };
    const look = async (): Promise<void> => {
      const { body } = await stranger.send({ path: "/readyz" });
      tried["looks at readiness"] += 1;
      if (body.includes(`location ${flooding.code} sends too much`))
        shown["readiness that names it"] += 1;
      const { unserved }: { readonly unserved: number } = await owner.api("GET info/status");
      shown["checks that no location runs"] = Math.max(
        shown["checks that no location runs"],
        unserved,
      );
    };
    const isShown = (): boolean => Object.values(shown).every((count) => count > 0);
    while (!signal.aborted) {
      await look();
      await sleep(systemClock, LOOK_MS, signal);
    }
    // Where the flood had too little of a busy machine, the rest is sent here.
    const end = systemClock.monotonic() + MAX_DURATION_MS;
    while (!isShown() && systemClock.monotonic() < end) {
      for (let no = 0; no <= MAX_UNASKED; no += 1)
        probe.connection.publish(presenceSubject(flooding.code), "junk");
      await probe.connection.flush();
      await look();
      await sleep(systemClock, LOOK_MS);
    }
    setUp.abort();
    await beating;
    await probe[Symbol.asyncDispose]();
    const changed = (await statesOf(owner, checks)).filter((each) => each !== 1).length;
    return { name, tried, shown, gained: { "states changed": changed } };
  };
}

interface StoredRun {
  readonly su: boolean;
  readonly l: Readonly<Record<string, string>>;
}

/** Claims to be elsewhere, where checks with a password are down, and says that all is up. */
async function claimRegions(attacker: Attacker): Promise<Intrusion> {
  const { lying } = locationsOf(attacker);
  const owner = ownerOf(attacker, "127.45.0.3");
  const [foreign, received] = [new Set<string>(), { jobs: 0, secrets: 0 }];
  const probe = await hostileProbe(lying, (job, subject) => {
    received.jobs += 1;
    if (!subject.endsWith(`-${lying.region}`)) foreign.add(job.id);
    if (JSON.stringify(job).includes(SECRET)) received.secrets += 1;
  });
  const setUp = new AbortController();
  const beating = beatOn(probe, setUp.signal);
  await locationIsLive(owner, lying.code);
  const down = { target: `http://127.0.0.1:${await closedPort()}/` };
  const elsewhere = await addChecks(owner, HONEST_REGION, {
    ...down,
    type: "HTTPADV",
    method: "POST",
    postdata: SECRET,
  });
  await waitFor("checks of another region are down", async () =>
    (await statesOf(owner, elsewhere)).every((state) => state === 0),
  );
  await addChecks(owner, lying.region, down);
  return async (signal) => {
    const tried = { claims: 0, "answers in another name": 0, "jobs answered": 0 };
    const gained = { regions: 0, "jobs of others": 0, secrets: 0, "forged results": 0 };
    for (let round = 0; round === 0 || !signal.aborted; round += 1) {
      for (const claim of claimsOf(probe, lying)) {
        claim();
        tried.claims += 1;
      }
      const reply =
        probe.replyTo()?.replace(`reply.${lying.code}.`, "reply.ld.") ?? "reply.ld.c.a.1";
      probe.connection.publish(reply, "up");
      tried["answers in another name"] += 1;
      // A change has a check run at once.
      const [again] = elsewhere.slice(round % CHECKS);
      await owner.api(`PUT checks/${again?._id}`, { interval: 1 + (round % 2) });
      const { locations } = await owner.api("GET info/status");
      if (locations[lying.code]?.region !== lying.region) gained.regions += 1;
      await sleep(systemClock, BEAT_INTERVAL_MS / 2, signal);
    }
    const runs: readonly StoredRun[] = (
      await Promise.all(
        elsewhere.map(({ _id }) => owner.api(`GET results/${_id}?clean=1&limit=1000`)),
      )
    ).flat();
    setUp.abort();
    await beating;
    await probe[Symbol.asyncDispose]();
    tried["jobs answered"] = received.jobs;
    return {
      name: "location-region",
      tried,
      shown: { "results of the right location": runs.filter(({ su }) => !su).length },
      gained: {
        ...gained,
        "jobs of others": foreign.size,
        secrets: received.secrets,
        "forged results": runs.filter(({ su, l }) => su || Object.values(l).includes(lying.code))
          .length,
      },
    };
  };
}

/** Ways to say that it is elsewhere; the server keeps it from being another location. */
function claimsOf(
  { connection, beat }: HostileProbe,
  { code, region }: LocationCredentials,
): readonly (() => void)[] {
  const own = presenceSubject(code);
  const others = regions.filter((each) => each !== region);
  return [
    ...others.map((claimed) => () => connection.publish(own, beat("one", { region: claimed }))),
    () => connection.publish(own, beat("one", { region: undefined })),
    () => connection.publish(own, beat("one", { generation: 2 })),
    () => connection.publish(own, JSON.stringify({ instance: "one", region: HONEST_REGION })),
    () => connection.publish(presenceSubject("ld"), beat("one", {}, "ld")),
  ];
}
