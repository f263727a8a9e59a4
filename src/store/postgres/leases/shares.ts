import { SHARDS } from "../../../domain/shard.ts";
import type { ControllerRow } from "./controller-rows.ts";

/** How many shards a controller should own: equal shares among those that reach the locations, or among all where none does. */
export function shareOf(id: string, controllers: readonly ControllerRow[]): number {
  const able = controllers.some(({ bus_ok }) => bus_ok)
    ? controllers.filter(({ bus_ok }) => bus_ok)
    : controllers;
  const rank = able
    .map((controller) => controller.id)
    .toSorted()
    .indexOf(id);
  if (rank === -1) return 0;
  return Math.floor(SHARDS / able.length) + (rank < SHARDS % able.length ? 1 : 0);
}
