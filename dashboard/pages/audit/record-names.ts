import { useQueries } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";

type Entry = components["schemas"]["AuditEntry"];

/** A record that an entry is about. */
export interface NamedRecord {
  readonly name: string;
  /** The page on which it is; undefined for none. */
  readonly path: string | undefined;
}

interface Source {
  /** Names by id. */
  readonly load: () => Promise<ReadonlyMap<string, string>>;
  readonly pathOf: (id: string) => string;
}

interface Listed {
  readonly _id: string;
  readonly name?: string;
  readonly label?: string;
}

function namesIn(records: readonly Listed[]): ReadonlyMap<string, string> {
  return new Map(records.map(({ _id, name, label }) => [_id, name ?? label ?? ""]));
}

const contacts: Source = {
  load: async () => namesIn(Object.values(await dataOf(api.GET("/contacts")))),
  pathOf: () => "/contacts",
};

/** Name sources of the records of an operation, by its last words. */
const sources: Readonly<Record<string, Source>> = {
  checks: {
    load: async () => {
      const statuses = await dataOf(api.GET("/statuses"));
      return new Map(statuses.map(({ id, label }) => [id, label]));
    },
    pathOf: (id) => `/checks/${id}`,
  },
  contacts,
  password: contacts,
  secondfactors: contacts,
  "second factor": contacts,
  "recovery codes": contacts,
  "sign-in link": contacts,
  "failed sign-ins": contacts,
  contactgroups: {
    load: async () => namesIn(Object.values(await dataOf(api.GET("/contactgroups")))),
    pathOf: () => "/groups",
  },
  notificationprofiles: {
    load: async () => namesIn(Object.values(await dataOf(api.GET("/notificationprofiles")))),
    pathOf: () => "/profiles",
  },
  schedules: {
    load: async () => {
      const names = Object.keys(await dataOf(api.GET("/schedules")));
      return new Map(names.map((name) => [name, name]));
    },
    pathOf: () => "/schedules",
  },
  maintenance: {
    load: async () => {
      const all = Object.entries(await dataOf(api.GET("/maintenance")));
      return new Map(all.map(([id, { name }]) => [id, name]));
    },
    pathOf: () => "/maintenance",
  },
  statuspages: {
    load: async () => namesIn(Object.values(await dataOf(api.GET("/statuspages")))),
    pathOf: () => "/status-pages",
  },
  incidents: {
    load: async () => namesIn(Object.values(await dataOf(api.GET("/incidents")))),
    pathOf: () => "/incidents",
  },
  tokens: {
    load: async () => namesIn(Object.values(await dataOf(api.GET("/tokens")))),
    pathOf: () => "/tokens",
  },
};

/** Names the records of entries; one that was deleted since has its id alone, and no page. */
export function useRecordNames(entries: readonly Entry[]): (entry: Entry) => NamedRecord {
  const wanted = [...new Set(entries.map(resourceOf))].flatMap((resource) => {
    const source = sources[resource];
    return source === undefined ? [] : [{ resource, source }];
  });
  const names = useQueries({
    queries: wanted.map(({ resource, source }) => ({
      queryKey: ["audit", "names", resource],
      queryFn: source.load,
    })),
    combine: (results) =>
      new Map(wanted.map(({ resource }, index) => [resource, results[index]?.data])),
  });
  return (entry) => {
    const { record = "" } = entry;
    const resource = resourceOf(entry);
    const name = names.get(resource)?.get(record);
    if (name === undefined) return { name: record, path: undefined };
    return { name: name || record, path: sources[resource]?.pathOf(record) };
  };
}

function resourceOf({ operation }: Entry): string {
  return operation.slice(operation.indexOf(" ") + 1);
}

/** Resources whose ids are values of a field. */
const referenced: Readonly<Record<string, readonly string[]>> = {
  checklist: ["checks"],
  checks: ["checks"],
  dep: ["checks"],
  members: ["contacts"],
  notifications: ["contacts", "contactgroups", "notificationprofiles"],
  defaultnotifications: ["contacts", "contactgroups", "notificationprofiles"],
};

/** Names records whose ids are among changed values. */
export function useValueNames(entries: readonly Entry[]): (id: string) => string | undefined {
  const changed = entries.flatMap(({ changes = [] }) => changes.map(({ field }) => field));
  const wanted = [...new Set(changed.flatMap((field) => referenced[field] ?? []))];
  const names = useQueries({
    queries: wanted.flatMap((resource) => {
      const source = sources[resource];
      return source === undefined
        ? []
        : [{ queryKey: ["audit", "names", resource], queryFn: source.load }];
    }),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return (id) => names.flatMap((known) => known.get(id) ?? [])[0];
}
