import { hash32 } from "../kit/hash.ts";

/** Checks are shared out among controllers by shards: few enough to be renewed as one, enough for equal shares of many. */
export const SHARDS = 256;

/** Returns the check's shard, which never changes. Salted, because the check's phase is another hash of its ID. */
export function shardOf(checkId: string): number {
  return hash32(`shard of ${checkId}`) % SHARDS;
}
