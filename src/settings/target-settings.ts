import { wholeNumberOr } from "./setting-schemas.ts";

/** Limits of the load on targets. */
export const targetSettings = {
  WATCHPOST_HOST_RUNS: wholeNumberOr(512).meta({
    fallback: "`512`",
    meaning:
      "Runs at a time against one host, and against one address whatever the names of its checks, of all accounts; one account has at most half of them. `0` is no limit",
  }),
  WATCHPOST_HOST_RATE: wholeNumberOr(100).meta({
    fallback: "`100`",
    meaning:
      "Runs that begin in a second against one host, and against one address, of all accounts. `localhost` and private addresses are not limited; `0` is no limit",
  }),
};
