import { hash32 } from "../kit/hash.ts";

/** Checks are shared out among controllers by shards: few enough to be renewed as one, enough for equal shares of many. */
export const SHARDS = 256;

/** Of a check, for its whole life. Salted, for the phase of a check is a hash of its id as well. */
export function shardOf(checkId: string): number {
  return hash32(`shard of ${checkId}`) % SHARDS;
}
