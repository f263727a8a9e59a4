import { wholeNumberOr } from "./setting-schemas.ts";

/** What targets bear. */
export const targetSettings = {
  WATCHPOST_HOST_RUNS: wholeNumberOr(512).meta({
    fallback: "`512`",
    meaning:
      "Runs at a time against one host, of all accounts; one account has at most half of them. `0` is no limit",
  }),
  WATCHPOST_HOST_RATE: wholeNumberOr(100).meta({
    fallback: "`100`",
    meaning:
      "Runs that begin in a second against one host, of all accounts. Hosts that are given as `localhost` or as a private address are not limited; `0` is no limit",
  }),
};
