import { z } from "zod";

import { subscriptionsOf, type Check, type Subscription } from "../../domain/check.ts";
import type { NotificationProfile } from "../../domain/contact/profile.ts";
import { NotFound } from "../../kit/errors.ts";
import { deletedResponse, warning } from "./responses.ts";
import { assertRecipientsExist, isRemoval, notifications } from "./checks/subscriptions.ts";
import type { ResourceDeps } from "../deps.ts";
import { customerid, id } from "./identifiers.ts";
import { required } from "../../schema/field.ts";
import { text } from "../../schema/scalars.ts";
import { operation, type Operation, type Resource } from "../operation.ts";

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

/** In the response to a write, where its type is spelled differently. */
const writtenProfileAnswer = profileAnswer
  .extend({ type: z.literal("notification profile"), warning })
  .meta({ id: "WrittenNotificationProfile" });

const fields = {
  customerid,
  name: text(255).describe("The name for people"),
  notifications: notifications.describe(
    "The recipients of alerts: objects of the id of a contact, address or group to `{schedule, delay, repeat, repeatcount, repeatuntil}` with the delay in minutes, and where `repeat` is given a reminder every so many minutes while the check is down and nobody has acknowledged it: `repeatcount` of them, until `repeatuntil` minutes after the Down, 1000 at most; it replaces the previous list",
  ),
};

type Deps = Pick<ResourceDeps, "store" | "ids">;

export function notificationProfiles({ store, ids }: Deps): Resource {
  return {
    name: "notificationprofiles",
    ids: "record",
    summary: "Named lists of recipients, each with a schedule and a delay",
    operations: {
      GET: operation({
        summary: "Returns one profile, or all of an account, by id",
        needs: "view",
        effect: "read",
        input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
        response: z.record(z.string(), profileAnswer),
        async handle({ id }, { account }) {
          const profiles =
            id === undefined
              ? await store.profiles.list(account.id)
              : [found(await store.profiles.find(account.id, id))];
          return Object.fromEntries(profiles.map((profile) => [profile.id, toWire(profile)]));
        },
      }),
      POST: operation({
        summary: "Creates a profile",
        needs: "edit",
        effect: "write",
        input: z.object(fields),
        example: { name: "Nights", notifications: [] },
        response: writtenProfileAnswer,
        async handle({ name = "", notifications }, call) {
          const { account } = call;
          const profile = {
            id: ids.profile(account.id),
            accountId: account.id,
            name,
            subscriptions: fromWire(notifications ?? []),
          };
          call.about(profile.id);
          await call.writeWithinLimits(account, async (tx) => {
            await assertRecipientsExist(tx, account.id, {
              known: [],
              wanted: profile.subscriptions,
              mayNameProfiles: false,
              call,
            });
            await tx.profiles.insert(profile);
          });
          return written(profile);
        },
      }),
      PUT: updateProfile(),
      DELETE: deleteProfile(),
    },
  };
}

function updateProfile(): Operation {
  return operation({
    summary: "Changes a profile; what is not sent stays",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), ...fields }),
    example: { name: "Nights" },
    response: writtenProfileAnswer,
    async handle({ id, name, notifications }, call) {
      const { account } = call;
      const profile = await call.writeWithinLimits(account, async (tx) => {
        const known = found(await tx.profiles.find(account.id, id));
        const changed = {
          ...known,
          name: name ?? known.name,
          subscriptions:
            notifications === undefined ? known.subscriptions : fromWire(notifications),
        };
        await assertRecipientsExist(tx, account.id, {
          known: known.subscriptions,
          wanted: changed.subscriptions,
          mayNameProfiles: false,
          call,
        });
        await tx.profiles.update(changed);
        return changed;
      });
      return written(profile);
    },
  });
}

function deleteProfile(): Operation {
  return operation({
    summary: "Deletes a profile; checks that name it stay, without its recipients",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      if (!(await write((tx) => tx.profiles.remove(account.id, id)))) throw missing();
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that profile");
}

function found(profile: NotificationProfile | undefined): NotificationProfile {
  if (profile === undefined) throw missing();
  return profile;
}

/** Leaves out recipients whose schedule is None. */
function fromWire(notifications: Check["notifications"]): readonly Subscription[] {
  return subscriptionsOf(notifications).filter(({ schedule }) => !isRemoval(schedule));
}

function toWire(profile: NotificationProfile): z.infer<typeof profileAnswer> {
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
  return { ...toWire(profile), type: "notification profile" };
}
