import type { Command } from "commander";

import { isRecord } from "../../kit/safe-json.ts";
import { closestWord } from "../../schema/closest-word.ts";
import type { JsonObject } from "../api-client.ts";
import { checkTypes } from "../catalogue/catalogue.ts";
import { describeState } from "../check-response.ts";
import { CommandError } from "../command-context.ts";
import { alternatives, unknownValue } from "../unknown-name.ts";

interface Filter {
  readonly about: string;
  /** The values that a record has. */
  readonly of: (record: JsonObject) => readonly string[];
  /** Known values; undefined if users choose them. */
  readonly known?: readonly string[];
}

type FilterName = "tag" | "state" | "type";
type Filters = Readonly<Partial<Record<FilterName, Filter>>>;

const tag: Filter = {
  about: "only records with this tag; several have to be on the same record",
  of: ({ tags }) => (Array.isArray(tags) ? tags.map(String) : []),
};
const typeOfCheck: Filter = {
  about: "only checks of this type",
  of: ({ type }) => [String(type)],
  known: Object.keys(checkTypes),
};

function stateOf(about: string, known: readonly string[], of: Filter["of"]): Filter {
  return { about: `${about} (${known.join(", ")})`, known, of };
}

/** Filters by resource and verb, for lists whose records have more than a name. */
const filters: Readonly<Record<string, Filters>> = {
  "accounts list": {
    state: stateOf("only accounts in this state", ["Active", "Suspend"], ({ status }) => [
      String(status),
    ]),
  },
  "checks list": {
    tag,
    type: typeOfCheck,
    state: stateOf(
      "only checks in this state",
      ["up", "down", "unknown", "disabled", "suspended", "undecided", "missed"],
      (record) => describeState(record).split(", "),
    ),
  },
  "contacts list": {
    type: {
      about: "only contacts with an address of this type",
      of: ({ addresses }) =>
        isRecord(addresses)
          ? Object.values(addresses)
              .filter(isRecord)
              .map(({ type }) => String(type))
          : [],
    },
  },
  "incidents list": {
    state: { about: "only incidents in this stage", of: ({ stage }) => [String(stage)] },
  },
  "results current": {
    type: stateOf("only events of this type", ["down", "disabled"], ({ type }) => [String(type)]),
  },
  "results events": {
    type: { about: "only events of this type", of: ({ type }) => [String(type)] },
  },
  "results results": {
    state: stateOf("only results of this outcome", ["passed", "failed"], ({ su }) => [
      su === true ? "passed" : "failed",
    ]),
  },
  "statuses list": {
    tag,
    type: typeOfCheck,
    state: stateOf(
      "only checks in this state",
      ["up", "down", "late", "maintenance", "paused", "unknown"],
      ({ status }) => [String(status)],
    ),
  },
  "subscribers list": {
    type: { about: "only subscribers of this kind", of: ({ kind }) => [String(kind)] },
  },
};

const names = ["tag", "state", "type"] as const;

export type GivenFilters = Readonly<Partial<Record<FilterName, readonly string[] | undefined>>>;

/** Adds the options by which a list is filtered. */
export function addFilterOptions(command: Command, key: string): void {
  for (const name of names) {
    const filter = filters[key]?.[name];
    if (filter !== undefined)
      command.option(
        `--${name} <${name}>`,
        `${filter.about}; may be repeated, or divided by commas`,
        (text: string, before: readonly string[] | undefined) => [
          ...(before ?? []),
          ...text.split(",").map((each) => each.trim()),
        ],
      );
  }
}

/** The records of a list, which may be by id, that have all tags, and one of the states and of the types. Throws a CommandError for a state or a type that does not exist. */
export function filtered(answer: object, key: string, given: GivenFilters): object {
  const wanted = names.flatMap((name) => {
    const filter = filters[key]?.[name];
    const values = given[name];
    if (filter === undefined || values === undefined) return [];
    for (const value of values) assertKnown(name, value, filter);
    return [{ of: filter.of, values: values.map(lower), isAll: name === "tag" }];
  });
  if (wanted.length === 0) return answer;
  const fits = (record: unknown): boolean =>
    isRecord(record) &&
    wanted.every(({ of, values, isAll }) => {
      const has = new Set(of(record).map(lower));
      return isAll ? values.every((each) => has.has(each)) : values.some((each) => has.has(each));
    });
  if (Array.isArray(answer)) return answer.filter(fits);
  const first = listIn(answer);
  if (first !== undefined) return { ...answer, [first[0]]: [first[1]].flat().filter(fits) };
  return Object.fromEntries(Object.entries(answer).filter(([, record]) => fits(record)));
}

/** A sentence for each wanted value that users make up, and no record of the list has. */
export function unknownValues(answer: object, key: string, given: GivenFilters): readonly string[] {
  const records = Object.values(listIn(answer)?.[1] ?? answer).filter(isRecord);
  return names.flatMap((name) => {
    const filter = filters[key]?.[name];
    if (filter === undefined || filter.known !== undefined) return [];
    const there = new Set(records.flatMap(filter.of));
    const lowered = new Set([...there].map(lower));
    return (given[name] ?? [])
      .filter((value) => !lowered.has(lower(value)))
      .map((value) => unknownValue(name, value, there));
  });
}

/** The list in an answer that has more than that, and its name. */
function listIn(answer: object): readonly [string, readonly unknown[]] | undefined {
  if (Array.isArray(answer)) return undefined;
  return Object.entries(answer).find((member): member is [string, unknown[]] =>
    Array.isArray(member[1]),
  );
}

function assertKnown(name: FilterName, value: string, { known }: Filter): void {
  if (known === undefined || known.some((each) => lower(each) === lower(value))) return;
  const meant = closestWord(value, known);
  throw new CommandError(
    `--${name}: there is no ${name} ${JSON.stringify(value)}${meant === undefined ? `; use ${alternatives(known)}` : `; did you mean ${meant}?`}`,
  );
}

function lower(text: string): string {
  return text.toLowerCase();
}
