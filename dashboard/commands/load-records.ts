import { api, dataOf } from "../api/api.ts";
import type { components } from "../api/schema.ts";
import type { MessageId } from "../locales/catalogue.ts";
import { addressWords } from "../pages/contacts/contact.ts";
import type { ClientPath } from "../../src/domain/dashboard-paths.ts";

/** A record that the palette leads to. */
export interface ListedRecord {
  readonly id: string;
  readonly name: string;
  readonly page: ClientPath;
  readonly kind: MessageId;
  readonly address?: string;
}

type Named = Readonly<Record<string, { readonly name: string }>>;
type Kind = Pick<ListedRecord, "page" | "kind">;

/** All that the reader may see; what cannot be loaded is left out. */
export async function loadRecords(): Promise<readonly ListedRecord[]> {
  const lists = await Promise.allSettled([
    contacts(),
    named({ page: "/groups", kind: "groups.title" }, dataOf(api.GET("/contactgroups"))),
    named({ page: "/status-pages", kind: "statusPages.title" }, dataOf(api.GET("/statuspages"))),
    maintenances(),
    named({ page: "/incidents", kind: "incidents.title" }, dataOf(api.GET("/incidents"))),
    named({ page: "/profiles", kind: "profiles.title" }, dataOf(api.GET("/notificationprofiles"))),
    schedules(),
  ]);
  return lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
}

async function named(kind: Kind, loading: Promise<Named>): Promise<readonly ListedRecord[]> {
  return Object.entries(await loading).map(([id, { name }]) => ({ ...kind, id, name }));
}

async function contacts(): Promise<readonly ListedRecord[]> {
  const all: readonly components["schemas"]["Contact"][] = Object.values(
    await dataOf(api.GET("/contacts")),
  );
  return all.map(({ _id: id, name, addresses = {} }) => ({
    id,
    name,
    page: "/contacts",
    kind: "contacts.title",
    address: Object.values(addresses).map(addressWords).join(" "),
  }));
}

async function maintenances(): Promise<readonly ListedRecord[]> {
  const all: readonly (readonly [string, { readonly name: string }])[] = Object.entries(
    await dataOf(api.GET("/maintenance")),
  );
  return all.map(([id, { name }]) => ({
    id,
    name,
    page: "/maintenance",
    kind: "maintenance.title",
  }));
}

async function schedules(): Promise<readonly ListedRecord[]> {
  const names = Object.keys(await dataOf(api.GET("/schedules")));
  return names.map((name) => ({
    id: `schedule-${encodeURIComponent(name)}`,
    name,
    page: "/schedules",
    kind: "schedules.title",
  }));
}
