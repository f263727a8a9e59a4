import { SHARDS } from "../domain/shard.ts";

/** Which shards of the checks this process controls. Each shard has one controller at a time. */
export interface Shards {
  readonly owns: (shard: number) => boolean;
  readonly owned: () => readonly number[];
  readonly subscribe: (watcher: ShardWatcher) => void;
}

export interface ShardWatcher {
  /** From now on this process runs their checks. */
  readonly gained: (shards: readonly number[]) => void;
  /** From this call on it runs and stores nothing of them: another may do so. */
  readonly lost: (shards: readonly number[]) => void;
}

const all: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Those of a process that controls none. */
export const noShards: Shards = {
  owns: () => false,
  owned: () => [],
  subscribe() {},
};

/** Those of a process that nobody shares the checks with. */
export const allShards: Shards = {
  owns: () => true,
  owned: () => all,
  subscribe() {},
};

/** Which part of all checks this process controls, about. */
export function controlledPart({ owned }: Pick<Shards, "owned">): number {
  return owned().length / SHARDS;
}
