import { networksOf } from "../http/client-address.ts";
import { LANE, type Asker, type Standing } from "./costly-work.ts";

/** Recent work above which a known client waits like a stranger; more than a person needs. */
const MAX_COST_OF_KNOWN = 20;
const MAX_COST_OF_ADDRESS = 10;
/** One customer of a large network does not pay for all its others, and a holder of many small networks pays for each. */
const WEIGHT_OF_HOLDER = 1 / 8;

/** Asker without any proof, counted by network so that many addresses of one site share one limit. */
export function strangerAsker(client: string): Asker {
  return [strangerStanding(client)];
}

/** Asker at an address with a signed-in user. */
export function knownAddressAsker(client: string): Asker {
  const counted = [{ key: `address ${client}`, weight: 1 }];
  const standing = {
    lane: LANE.address,
    counted,
    maxCost: /* guard: known addresses that ask too much = Infinity */ MAX_COST_OF_ADDRESS,
  };
  return [standing, strangerStanding(client)];
}

/** Asker with a session, a link, or a device cookie, each counted separately. */
export function knownAsker(who: string, client: string): Asker {
  const counted = [{ key: `known ${who}`, weight: 1 }];
  return [{ lane: LANE.known, counted, maxCost: MAX_COST_OF_KNOWN }, strangerStanding(client)];
}

/** An account that has a password made through the API. */
export function accountAsker(accountId: string): Asker {
  const counted = [{ key: `account ${accountId}`, weight: 1 }];
  return [{ lane: LANE.address, counted, maxCost: Infinity }];
}

function strangerStanding(client: string): Standing {
  const { site, holder } = networksOf(client);
  const counted = [
    { key: `network ${site}`, weight: 1 },
    // guard: networks of strangers
    { key: `network ${holder}`, weight: WEIGHT_OF_HOLDER },
  ];
  return { lane: LANE.stranger, counted, maxCost: Infinity };
}
