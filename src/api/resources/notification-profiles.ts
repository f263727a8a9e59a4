import { z } from "zod";

import { subscriptionsOf, type Check, type Subscription } from "../../domain/check.ts";
import type { NotificationProfile } from "../../domain/contact/profile.ts";
import { warning } from "./responses.ts";
import {
  assertRecipientsExist,
  isRemoval,
  notifications,
  recipientIds,
} from "./checks/subscriptions.ts";
import type { ResourceDeps } from "../deps.ts";
import { text } from "../../schema/scalars.ts";
import type { Resource } from "../operation.ts";
import { ownedResource } from "./owned-resource.ts";

const entryAnswer = z.object({
  schedule: z.string(),
  delay: z.int(),
  repeat: z.int().optional(),
  repeatcount: z.int().optional(),
  repeatuntil: z.int().optional(),
});

const profileAnswer = z
  .object({
    _id: z.string(),
    type: z.literal("notificationprofile"),
    customer_id: z.string(),
    name: z.string(),
    notifications: z
      .array(z.record(z.string(), entryAnswer))
      .describe(
        "One object for each recipient; the delay and the times of reminders in minutes, and those only where reminders are wanted",
      ),
  })
  .meta({ id: "NotificationProfile" });

/** Schema of the response to a write, in which the type is spelled differently. */
const writtenProfileAnswer = profileAnswer
  .extend({ type: z.literal("notification profile"), warning })
  .meta({ id: "WrittenNotificationProfile" });

export function notificationProfiles(deps: Pick<ResourceDeps, "store" | "ids">): Resource {
  return ownedResource(deps, {
    name: "notificationprofiles",
    summary: "Named lists of recipients, each with a schedule and a delay",
    noun: "profile",
    missing: "Unable to find that profile",
    afterDelete: "checks that name it stay, without its recipients",
    newId: (ids, accountId) => ids.profile(accountId),
    reads: ({ profiles }) => profiles,
    records: ({ profiles }) => profiles,
    fields: {
      name: text(255).describe("The name for people"),
      notifications: notifications.describe(
        "The recipients of alerts: objects of the id of a contact, address or group to `{schedule, delay, repeat, repeatcount, repeatuntil}` with the delay in minutes, and where `repeat` is given a reminder every so many minutes while the check is down and nobody has acknowledged it: `repeatcount` of them, until `repeatuntil` minutes after the Down, 1000 at most; it replaces the previous list",
      ),
    },
    example: { name: "Nights", notifications: [] },
    merge: ({ name, notifications: sent }, { id, accountId }, known) => ({
      id,
      accountId,
      name: name ?? known?.name ?? "",
      subscriptions: sent === undefined ? (known?.subscriptions ?? []) : parseSubscriptions(sent),
    }),
    assertReferences: (tx, { record, known, call }) =>
      assertRecipientsExist(tx, record.accountId, {
        known: known?.subscriptions ?? [],
        wanted: record.subscriptions,
        mayNameProfiles: false,
        call,
      }),
    shown: { response: profileAnswer, toResponse, byId: true },
    written: { response: writtenProfileAnswer, toResponse: written },
    recorded: ({ name, subscriptions }) => ({
      kept: { name, notifications: recipientIds(subscriptions) },
      compared: { notifications: subscriptions },
    }),
  });
}

/** Omits recipients whose schedule is None. */
function parseSubscriptions(notifications: Check["notifications"]): readonly Subscription[] {
  return subscriptionsOf(notifications).filter(({ schedule }) => !isRemoval(schedule));
}

function toResponse(profile: NotificationProfile): z.infer<typeof profileAnswer> {
  const { id, accountId, name, subscriptions } = profile;
  return {
    _id: id,
    type: "notificationprofile",
    customer_id: accountId,
    name,
    notifications: subscriptions.map(({ recipientId, schedule, delayMinutes, repeat }) => ({
      [recipientId]: {
        schedule,
        delay: delayMinutes,
        ...(repeat !== undefined && {
          repeat: repeat.everyMinutes,
          ...(repeat.count !== undefined && { repeatcount: repeat.count }),
          ...(repeat.forMinutes !== undefined && { repeatuntil: repeat.forMinutes }),
        }),
      },
    })),
  };
}

function written(profile: NotificationProfile): z.infer<typeof writtenProfileAnswer> {
  return { ...toResponse(profile), type: "notification profile" };
}
