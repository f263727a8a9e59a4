import type { ShownState } from "../../parts/state.ts";
import { statusAt, type Status } from "../../live/status-list.ts";

export const sortings = ["state", "name", "ms", "since"] as const;
export type Sorting = (typeof sortings)[number];

export const shownStates = ["down", "late", "unknown", "maintenance", "paused", "up"] as const;

/** View of the list, as stored in the page's address. */
export interface ListView {
  readonly search: string;
  readonly states: readonly ShownState[];
  readonly types: readonly string[];
  readonly tags: readonly string[];
  readonly sorting: Sorting;
  readonly isGrouped: boolean;
}

const LIST_SEPARATOR = ",";

export function viewFrom(query: string): ListView {
  const parameters = new URLSearchParams(query);
  const list = (name: string): readonly string[] =>
    (parameters.get(name) ?? "").split(LIST_SEPARATOR).filter((each) => each !== "");
  const states = list("state");
  return {
    search: parameters.get("q") ?? "",
    states: shownStates.filter((state) => states.includes(state)),
    types: list("type"),
    // A tag may have any character.
    tags: parameters.getAll("tag"),
    sorting: sortings.find((sorting) => sorting === parameters.get("sort")) ?? "state",
    isGrouped: parameters.get("group") === "tag",
  };
}

/** The query of the address; what is usual is not in it. */
export function queryOf({ search, states, types, tags, sorting, isGrouped }: ListView): string {
  const parameters = new URLSearchParams();
  if (search !== "") parameters.set("q", search);
  if (states.length > 0) parameters.set("state", states.join(LIST_SEPARATOR));
  if (types.length > 0) parameters.set("type", types.join(LIST_SEPARATOR));
  for (const tag of tags) parameters.append("tag", tag);
  if (sorting !== "state") parameters.set("sort", sorting);
  if (isGrouped) parameters.set("group", "tag");
  return parameters.toString();
}

const searched = new WeakMap<Status, SearchTexts>();

interface SearchTexts {
  readonly words: string;
  readonly address: string;
}

/** Returns the searchable text of a check in lower case; computed once because every key press searches it. */
function searchTextsOf(status: Status): SearchTexts {
  const known = searched.get(status);
  if (known !== undefined) return known;
  const { label, target, type, tags = [] } = status;
  const texts = {
    words: [label, type, ...tags].join("\n").toLowerCase(),
    address: target.toLowerCase(),
  };
  searched.set(status, texts);
  return texts;
}

/**
 * Returns the checks in the view, in order. Every search word must occur; digits alone count in an address only if they occur nowhere else, because IDs and
 * ports are full of them.
 */
export function shownOf(
  all: Iterable<Status>,
  { search, states, types, tags, sorting }: ListView,
  now: number,
): readonly Status[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found: Status[] = [];
  const byNumber: Status[] = [];
  for (const status of all) {
    if (types.length > 0 && !types.includes(status.type)) continue;
    if (tags.length > 0 && !tags.some((tag) => status.tags?.includes(tag))) continue;
    if (states.length > 0 && !states.includes(statusAt(status, now).status)) continue;
    if (words.length > 0) {
      const texts = searchTextsOf(status);
      const isNamed = (word: string): boolean => texts.words.includes(word);
      const isInAddress = (word: string): boolean => texts.address.includes(word);
      if (!words.every((word) => isNamed(word) || isInAddress(word))) continue;
      if (words.some((word) => isNumber(word) && !isNamed(word))) {
        byNumber.push(status);
        continue;
      }
    }
    found.push(status);
  }
  return sorted(found.length > 0 ? found : byNumber, sorting, now);
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

// To make one takes longer than to compare thousands.
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The places of names in their order: with ten thousand it takes 0.1 s to find it, and a look here takes nothing. */
let places: ReadonlyMap<string, number> = new Map();

function placesOf(found: readonly Status[]): ReadonlyMap<string, number> {
  if (found.every(({ label }) => places.has(label))) return places;
  const labels = new Set([...places.keys(), ...found.map(({ label }) => label)]);
  places = new Map([...labels].toSorted(collator.compare).map((label, place) => [label, place]));
  return places;
}

/** The number that comes first, and the name where that is the same. */
function sorted(found: readonly Status[], sorting: Sorting, now: number): readonly Status[] {
  const placeOf = placesOf(found);
  const keyed = found.map((status) => ({
    status,
    key: keyOf(status, sorting, now),
    place: placeOf.get(status.label) ?? 0,
  }));
  return keyed
    .toSorted((one, other) => one.key - other.key || one.place - other.place)
    .map(({ status }) => status);
}

function keyOf(status: Status, sorting: Sorting, now: number): number {
  if (sorting === "name") return 0;
  if (sorting === "ms") return -(status.ms ?? -1);
  const shown = statusAt(status, now);
  return sorting === "since" ? -shown.since : shownStates.indexOf(shown.status);
}

/** A line of the list: a check, or the heading of those with a tag. */
export type Line =
  | { readonly kind: "check"; readonly key: string; readonly status: Status }
  | { readonly kind: "tag"; readonly key: string; readonly tag: string; readonly count: number };

/** Returns the lines of the list. A check with several tags appears under each; `""` is for checks without tags. */
export function linesOf(shown: readonly Status[], isGrouped: boolean): readonly Line[] {
  if (!isGrouped) return shown.map((status) => ({ kind: "check", key: status.id, status }));
  const byTag = new Map<string, Status[]>();
  for (const status of shown)
    for (const tag of status.tags ?? [""]) {
      const tagged = byTag.get(tag) ?? [];
      tagged.push(status);
      byTag.set(tag, tagged);
    }
  const tags = [...byTag].toSorted(
    ([one], [other]) => Number(one === "") - Number(other === "") || collator.compare(one, other),
  );
  return tags.flatMap(([tag, statuses]): readonly Line[] => [
    { kind: "tag", key: `tag ${tag}`, tag, count: statuses.length },
    ...statuses.map((status) => ({
      kind: "check" as const,
      key: `${tag} ${status.id}`,
      status,
    })),
  ]);
}

export interface Facets {
  readonly states: Readonly<Record<ShownState, number>>;
  readonly types: readonly string[];
  readonly tags: readonly string[];
}

/** Returns the filter values of all checks. */
export function facetsOf(all: Iterable<Status>, now: number): Facets {
  const states = { up: 0, down: 0, late: 0, maintenance: 0, paused: 0, unknown: 0 };
  const types = new Set<string>();
  const tags = new Set<string>();
  for (const status of all) {
    states[statusAt(status, now).status] += 1;
    types.add(status.type);
    for (const tag of status.tags ?? []) tags.add(tag);
  }
  return {
    states,
    types: [...types].toSorted(collator.compare),
    tags: [...tags].toSorted(collator.compare),
  };
}
