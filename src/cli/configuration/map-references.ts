import { isDeepStrictEqual } from "node:util";

import { subscriptionsOf } from "../../domain/check.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import type { IdMap } from "./id-map.ts";

export type Notifications = readonly JsonObject[];

/** Maps the recipients and schedules of notifications, and keeps the form in which each is written. */
export function mapReferences(
  notifications: Notifications,
  current: Notifications,
  { reference, schedule }: IdMap,
): Notifications {
  const known = subscriptionsOf(current);
  const recipients = known.map(({ recipientId }) => recipientId);
  const schedules = known.map((subscription) => subscription.schedule);
  const wish = (value: unknown): unknown => {
    if (typeof value === "string") return schedule(value, schedules);
    return isRecord(value)
      ? { ...value, schedule: schedule(String(value.schedule), schedules) }
      : value;
  };
  return notifications
    .map((entry) => {
      const wishes = Object.entries(entry).flatMap(([id, value]) => {
        const recipient = reference(id, recipients);
        return recipient === undefined ? [] : [[recipient, wish(value)] as const];
      });
      return Object.fromEntries(wishes);
    })
    .filter((entry) => Object.keys(entry).length > 0);
}

/** Returns whether both mean the same recipients, schedules and delays, however they are written. */
export function isSameNotifications(one: Notifications, other: Notifications): boolean {
  return isDeepStrictEqual(subscriptionsOf(one), subscriptionsOf(other));
}
