import type { Scenario } from "../scenario.ts";
import { createCertificates } from "./certificates.ts";
import { nameServer, type NameServer } from "./name-server.ts";
import { createNetwork, places, type Network } from "./network.ts";
import { receivers, type Delivery } from "./receivers.ts";
import { openSite, openStrangers, type Site } from "./sites.ts";
import { trust } from "./trust.ts";

/** Targets, receivers and the name server, which all monitors share. */
export interface World extends AsyncDisposable {
  readonly network: Network;
  readonly resolver: NameServer;
  readonly sites: readonly Site[];
  /** The file of the authority that every machine trusts. */
  readonly authority: string;
}

/** Opens a target for each scenario. */
export async function openWorld(
  scenarios: readonly Scenario[],
  take: (delivery: Delivery) => void,
): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await createNetwork());
  const resolver = stack.use(await nameServer(places.resolver));
  const certificates = createCertificates();
  const authority = await trust(certificates.authority);
  stack.use(await receivers(take));
  const ground = { network, resolver, certificates, stack };
  await openStrangers(ground);
  const sites: Site[] = [];
  for (const [index, scenario] of scenarios.entries())
    sites.push(await openSite(ground, scenario, index + 1));
  const kept = stack.move();
  return {
    network,
    resolver,
    sites,
    authority,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
