import { randomBytes } from "node:crypto";

import type { Bus, Job, LocationHandlers, Report } from "../../src/bus/bus.ts";
import {
  createLocationSealers,
  deriveLocationKey,
  type LocationKey,
  type LocationKeyId,
} from "../../src/bus/location-key.ts";
import type { NatsAccess } from "../../src/bus/nats/access.ts";
import { createLocationServer, type LocationServer } from "../../src/bus/nats/location-server.ts";
import { sealBeat, type PresenceBeat } from "../../src/bus/nats/messages.ts";
import { createNatsBus, type NatsBus } from "../../src/bus/nats/nats-bus.ts";
import { passed } from "../../src/domain/run/outcome.ts";
import { systemClock, type Clock } from "../../src/kit/clock.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { silentLog, type Log } from "../../src/kit/log.ts";
import { noMeter, type Meter } from "../../src/kit/meter.ts";
import { createScriptedHandlers } from "../contracts/bus.ts";

const instance = createSealer(randomBytes(32));
export const sealerOf = createLocationSealers(instance);
export const nam = { generation: 1, region: "nam" } as const satisfies LocationKeyId;

/** Creates a beat of a probe at `nam`, as anyone with its key can. */
export function beatOf(
  location: string,
  beat: Partial<PresenceBeat> = {},
  key: LocationKeyId = nam,
): Uint8Array {
  const whole = { instance: "one", versions: [1], types: ["PORT"], leaving: false, ...beat };
  return sealBeat(whole, location, { key, sealer: sealerOf(location, key) });
}

export const up = {
  startOffsetMs: 0,
  endOffsetMs: 1,
  outcome: passed("Connected", "it answers"),
  connectivityConfirmed: false,
} satisfies Report;

interface Options extends Partial<NatsAccess> {
  readonly clock?: Clock;
  readonly seedText?: string | undefined;
  readonly log?: Log;
  readonly meter?: Meter;
}

export function keyOf(location: string, id: LocationKeyId): LocationKey {
  return deriveLocationKey(instance, location, id);
}

function accessTo({ port }: { readonly port: number }, options: Options): NatsAccess {
  return {
    servers: options.servers ?? [`127.0.0.1:${port}`],
    requiresTls: options.requiresTls ?? false,
    ca: options.ca,
    certificate: options.certificate,
    seed: options.seedText === undefined ? undefined : new Secret(options.seedText),
  };
}

export function controllerAt(
  server: { readonly port: number },
  options: Options = {},
): NatsBus & AsyncDisposable {
  const bus = createNatsBus({
    access: accessTo(server, options),
    sealerOf,
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    meter: options.meter ?? noMeter,
  });
  return { ...bus, [Symbol.asyncDispose]: bus.close };
}

interface ProbeOptions extends Options {
  readonly location?: string;
  readonly key?: LocationKey;
  readonly handlers?: Partial<LocationHandlers>;
  readonly types?: readonly string[];
  readonly refused?: (sentence: string) => void;
}

/** A probe of a location; it does what the types of jobs say, unless it is given handlers. */
export function probeAt(
  server: { readonly port: number },
  { location = "ny", key, handlers, ...options }: ProbeOptions = {},
): LocationServer & AsyncDisposable {
  const probe = createLocationServer({
    access: accessTo(server, options),
    key: key ?? keyOf(location, nam),
    types: options.types ?? ["PORT"],
    version: "1.2.3",
    refused: options.refused ?? (() => {}),
    clock: systemClock,
    log: options.log ?? silentLog,
    meter: options.meter ?? noMeter,
  });
  probe.serve({ code: location, region: undefined }, { ...createScriptedHandlers(), ...handlers });
  return { ...probe, [Symbol.asyncDispose]: probe.close };
}

export function ask(
  { jobs }: Pick<Bus, "jobs">,
  location: string,
  job: Partial<Job> = {},
): Promise<Report> {
  const whole = {
    id: "one",
    checkId: "check",
    accountId: "alice",
    type: "pass",
    parameters: {},
    timeoutMs: 1000,
    ...job,
  };
  return jobs.request(location, whole, { timeoutMs: 60_000 });
}
