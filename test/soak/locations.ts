import { join } from "node:path";

import { loadInstanceKey } from "../../src/server/instance-key.ts";
import { deriveLocationKey, writeLocationKey } from "../../src/bus/location-key.ts";
import { createNatsUser, locationUserLine, serviceUserLine } from "../../src/cli/nats-user.ts";
import type { Region } from "../../src/domain/location.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { root, run, type Program } from "../e2e/process.ts";
import { shippedConfiguration } from "../harnesses/nats-configuration.ts";
import { nats } from "../servers/nats.ts";
import { waitFor } from "../time/wait-for.ts";
import type { Client } from "./client.ts";

/** Credentials of a location. */
export interface LocationCredentials {
  readonly code: string;
  readonly region: Region;
  /** Where the NATS server listens. */
  readonly server: string;
  readonly seed: string;
  /** As a probe has it in its settings. */
  readonly key: string;
}

/** Locations whose credentials attackers have. */
export interface HostileLocations {
  readonly flooding: LocationCredentials;
  readonly lying: LocationCredentials;
}

/** A NATS server with locations on other machines: an honest one, and hostile ones. */
export interface Locations extends AsyncDisposable {
  /** Settings of the program. */
  readonly settings: Readonly<Record<string, string>>;
  readonly hostile: HostileLocations;
  /** Starts the probe of the honest one, and waits until it is live. */
  readonly begin: (client: Client) => Promise<void>;
}

/** Regions of the program's own location, and of the honest remote one. */
const OWN_REGION = "eao";
export const HONEST_REGION = "eur";
/** No hostile location is of these. */
export const honestRegions = [HONEST_REGION, OWN_REGION] as const;

/** Makes the server, and the credentials as the command line makes them. */
export async function makeLocations(data: string): Promise<Locations> {
  await using stack = new AsyncDisposableStack();
  const key = loadInstanceKey({
    WATCHPOST_DATA: data,
    WATCHPOST_INSTANCE_KEY: undefined,
    WATCHPOST_DATABASE_URL: undefined,
  });
  const sealer = createSealer(key);
  const places = { flooding: ["ny", "nam"], lying: ["sp", "lam"], honest: ["ld", "eur"] } as const;
  const users = {
    service: createNatsUser(),
    flooding: createNatsUser(),
    lying: createNatsUser(),
    honest: createNatsUser(),
  };
  const server = stack.use(
    await nats(
      await shippedConfiguration([
        serviceUserLine(users.service.publicKey),
        ...(["flooding", "lying", "honest"] as const).map((who) =>
          locationUserLine(places[who][0], users[who].publicKey),
        ),
      ]),
    ),
  );
  const credentialsOf = (who: keyof typeof places): LocationCredentials => {
    const [code, region] = places[who];
    return {
      code,
      region,
      server: `127.0.0.1:${server.port}`,
      seed: users[who].seed,
      key: writeLocationKey(deriveLocationKey(sealer, code, { generation: 1, region })),
    };
  };
  const honest = credentialsOf("honest");
  const kept = stack.move();
  return {
    settings: {
      WATCHPOST_NATS_URL: server.url,
      WATCHPOST_NATS_NKEY: users.service.seed,
      WATCHPOST_LOCATION: "home",
      WATCHPOST_REGION: OWN_REGION,
    },
    hostile: { flooding: credentialsOf("flooding"), lying: credentialsOf("lying") },
    async begin(client) {
      kept.use(probeOf(honest, server.url));
      await locationIsLive(client, honest.code);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function probeOf({ code, seed, key }: LocationCredentials, url: string): Program {
  const settings = {
    WATCHPOST_FILE: "/dev/null",
    WATCHPOST_LOCATION: code,
    WATCHPOST_NATS_NKEY: seed,
    WATCHPOST_LOCATION_KEY: key,
    WATCHPOST_NATS_URL: url,
  };
  return run(root, settings, [process.execPath, join(root, "src/main.ts"), "probe"]);
}

/** Waits until the program takes the location for live. */
export async function locationIsLive(client: Pick<Client, "api">, code: string): Promise<void> {
  await waitFor(`location ${code} is live`, async () =>
    Object.hasOwn(await client.api("GET info/probe"), code),
  );
}
