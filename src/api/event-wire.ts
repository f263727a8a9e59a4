import type { CurrentEvent } from "../store/states.ts";

export function eventToWire({ kind, label, since }: CurrentEvent): object {
  return { type: kind, label, t: since };
}
