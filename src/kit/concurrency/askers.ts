import { networksOf } from "../http/client-address.ts";
import { LANE, type Asker, type Standing } from "./costly-work.ts";

/** With more pieces of work in the last minutes than a person needs, who is known waits like a stranger. */
const MOST_OF_KNOWN = 20;
const MOST_OF_ADDRESS = 10;
/** One customer of a large network does not pay for all its others, and a holder of many small networks pays for each. */
const WEIGHT_OF_HOLDER = 1 / 8;

/** Who has shown nothing: counted by network, so that many addresses of one site have one share. */
export function strangerAsker(client: string): Asker {
  return [strangerStanding(client)];
}

/** Who sends a request from an address from which somebody is signed in. */
export function knownAddressAsker(client: string): Asker {
  const counted = [{ key: `address ${client}`, weight: 1 }];
  const standing = {
    lane: LANE.address,
    counted,
    mostCost: /* guard: known addresses that ask too much = Infinity */ MOST_OF_ADDRESS,
  };
  return [standing, strangerStanding(client)];
}

/** Who has shown a session, a link, or that this browser signed in before, each counted by itself. */
export function knownAsker(who: string, client: string): Asker {
  const counted = [{ key: `known ${who}`, weight: 1 }];
  return [{ lane: LANE.known, counted, mostCost: MOST_OF_KNOWN }, strangerStanding(client)];
}

/** An account that has a password made through the API. */
export function accountAsker(accountId: string): Asker {
  const counted = [{ key: `account ${accountId}`, weight: 1 }];
  return [{ lane: LANE.address, counted, mostCost: Infinity }];
}

function strangerStanding(client: string): Standing {
  const { site, holder } = networksOf(client);
  const counted = [
    { key: `network ${site}`, weight: 1 },
    // guard: networks of strangers
    { key: `network ${holder}`, weight: WEIGHT_OF_HOLDER },
  ];
  return { lane: LANE.stranger, counted, mostCost: Infinity };
}
