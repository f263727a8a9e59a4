import { parseNotifications } from "../../api/resources/checks/subscriptions.ts";
import { InvalidInput } from "../../kit/errors.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import { inside } from "./declare.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation } from "./source/source-location.ts";
import type { Names } from "./names.ts";

interface Deps {
  readonly names: Names;
  readonly faults: Faults;
}

interface Entry {
  readonly name: string;
  readonly wish: unknown;
  readonly place: SourceLocation;
}

/**
 * Converts recipients to the format of the API: an object per recipient, from its ID to a schedule. Files may have an object of names to schedules, or a list
 * of such objects and of names.
 */
export function recipientsOf(
  value: unknown,
  place: SourceLocation,
  { names, faults }: Deps,
): readonly JsonObject[] {
  const entries = entriesOf(value, place);
  if (entries === undefined) {
    faults.add(place, "must be a list of names, or an object of names to schedules");
    return [];
  }
  return entries.flatMap(({ name, wish, place: at }) => {
    const id = names.recipient(name, at);
    const schedule = isRecord(wish) ? (wish.schedule ?? "All") : wish;
    const known = typeof schedule === "string" ? names.schedule(schedule, at) : schedule;
    if (id === undefined || known === undefined) return [];
    return checked({ [id]: wish }, { place: at, faults });
  });
}

function entriesOf(value: unknown, place: SourceLocation): readonly Entry[] | undefined {
  if (isRecord(value)) return entriesIn(value, place);
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((each: unknown, at) => {
    const inner = inside(place, at);
    if (typeof each === "string") return [{ name: each, wish: "All", place: inner }];
    return isRecord(each) ? entriesIn(each, inner) : undefined;
  });
  return entries.some((each) => each === undefined)
    ? undefined
    : entries.flatMap((each) => each ?? []);
}

function entriesIn(record: JsonObject, place: SourceLocation): readonly Entry[] {
  return Object.entries(record).map(([name, wish]) => ({
    name,
    wish: wish ?? "All",
    place: inside(place, name),
  }));
}

const wishMembers = new Set(["schedule", "delay", "repeat", "repeatcount", "repeatuntil"]);

function checked(
  entry: JsonObject,
  { place, faults }: { readonly place: SourceLocation; readonly faults: Faults },
): readonly JsonObject[] {
  for (const wish of Object.values(entry))
    if (isRecord(wish))
      for (const member of Object.keys(wish))
        if (!wishMembers.has(member))
          faults.add(inside(place, member), `not known here, only ${[...wishMembers].join(", ")}`);
  try {
    return parseNotifications([entry]) ?? [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    // It names the id, which nobody has seen.
    faults.add(place, error.message.replace(/ "[^"]*"$/, "").replace(/^value: /, ""));
    return [];
  }
}
