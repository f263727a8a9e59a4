import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { dropReasons } from "../../locales/en/drop-reasons.ts";

export interface Notification extends Wire {
  /** Current name of the check, or its ID if it was deleted. */
  readonly checkName: string;
}

type Wire = components["schemas"]["Notification"];
type Check = components["schemas"]["Check"];

export const statuses = ["delivered", "failed", "waiting", "held", "dropped"] as const;
export const types = ["down", "up", "first", "reminder", "acknowledged", "missed"] as const;

/** Filters of the log; empty text means all. */
export interface Filters {
  readonly id: string;
  readonly contact: string;
  readonly type: string;
  readonly status: string;
  readonly start: string;
  readonly end: string;
}

const names = ["id", "contact", "type", "status", "start", "end"] as const;
export const PAGE = 100;

/** The filters that an address has. */
export function filtersIn(search: string): Filters {
  const query = new URLSearchParams(search);
  const of = (name: string): string => query.get(name) ?? "";
  return {
    id: of("id"),
    contact: of("contact"),
    type: of("type"),
    status: of("status"),
    start: of("start"),
    end: of("end"),
  };
}

/** The address that keeps the filters. */
export function searchOf(filters: Filters): string {
  const set = names.flatMap((name) => (filters[name] === "" ? [] : [[name, filters[name]]]));
  return new URLSearchParams(set).toString();
}

/** A page of the log, the newest first, after the notification that the page before ended with. */
export async function loadPage(filters: Filters, after: string): Promise<readonly Notification[]> {
  const { start, end, ...words } = filters;
  const query = {
    ...Object.fromEntries(Object.entries(words).filter(([, value]) => value !== "")),
    ...(start !== "" && { start: new Date(start).getTime() }),
    ...(end !== "" && { end: new Date(end).getTime() }),
    ...(after !== "" && { after }),
    limit: PAGE,
    dropped: true,
    detail: true,
  } as const;
  const page = await dataOf(api.GET("/notifications", { params: { query } }));
  const names = await namesOf([...new Set(page.map(({ jobid }) => jobid))]);
  return page.map((each) => ({ ...each, checkName: names.get(each.jobid) ?? each.jobid }));
}

async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  // With a comma it is a list, of those that there are.
  const query = { id: `${ids.join(",")},` };
  const found: readonly Check[] = Object.values(
    await dataOf(api.GET("/checks", { params: { query } })),
  );
  return new Map(found.map(({ _id: id, label }) => [id, label]));
}

const others: Readonly<Record<string, MessageId>> = {
  "held disabled": "notifications.held.disabled",
  "held account_suspended": "notifications.held.account_suspended",
  "held address_unconfirmed": "notifications.held.address_unconfirmed",
  "waiting mailbox_limit": "notifications.waiting.mailbox_limit",
  "waiting outside_window": "notifications.waiting.outside_window",
  "waiting check_muted": "notifications.waiting.check_muted",
  "waiting address_muted": "notifications.waiting.address_muted",
  "waiting dependency_down": "notifications.waiting.dependency_down",
};

/** Returns the text of an alert's reason; undefined if the reason is the receiver's own. */
export function reasonOf({
  status,
  reason = "",
}: Pick<Notification, "status" | "reason">): MessageId | undefined {
  if (status === "dropped" && isDropReason(reason)) return `dropReasons.${reason}`;
  return others[`${status} ${reason}`];
}

function isDropReason(reason: string): reason is keyof typeof dropReasons {
  return Object.hasOwn(dropReasons, reason);
}
