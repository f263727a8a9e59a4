import { SHARDS } from "../domain/shard.ts";

/** Shards of the checks that this process controls. Each shard has one controller at a time. */
export interface Shards {
  readonly owns: (shard: number) => boolean;
  readonly owned: () => readonly number[];
  readonly subscribe: (watcher: ShardWatcher) => void;
}

export interface ShardWatcher {
  /** Called when this process must run their checks. */
  readonly gained: (shards: readonly number[]) => void;
  /** Called when this process must stop running and storing their checks, because another may do so. */
  readonly lost: (shards: readonly number[]) => void;
}

const all: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Shards of a process that controls none. */
export const noShards: Shards = {
  owns: () => false,
  owned: () => [],
  subscribe() {},
};

/** Shards of the only process. */
export const allShards: Shards = {
  owns: () => true,
  owned: () => all,
  subscribe() {},
};

/** Returns the approximate fraction of all checks that this process controls. */
export function controlledPart({ owned }: Pick<Shards, "owned">): number {
  return owned().length / SHARDS;
}
