import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Subscription } from "../check.ts";
import type { ContactGroup } from "./group.ts";
import type { NotificationProfile } from "./profile.ts";
import {
  expandContacts,
  expandGroups,
  expandProfiles,
  inWindow,
  maxRecipients,
  schedulesOf,
  type AddressRef,
  type Recipient,
} from "./recipients.ts";

interface Directory {
  readonly profiles: readonly NotificationProfile[];
  readonly groups: readonly ContactGroup[];
  readonly addresses: readonly AddressRef[];
}

function expand(
  subscriptions: readonly Subscription[],
  { profiles, groups, addresses }: Directory,
): readonly Recipient[] {
  const withoutProfiles = expandProfiles(subscriptions, profiles).found;
  return expandContacts(expandGroups(withoutProfiles, groups).found, addresses).found;
}

function aGroup(id: string, members: readonly string[]): ContactGroup {
  return { id, accountId: "A", name: id, members };
}

function aProfile(id: string, subscriptions: readonly Subscription[]): NotificationProfile {
  return { id, accountId: "A", name: id, subscriptions };
}

function to(recipientId: string, schedule = "All", delayMinutes = 0): Subscription {
  return { recipientId, schedule, delayMinutes };
}

/** Ann has two addresses, Ben one, and both share one. */
const addresses: readonly AddressRef[] = [
  { contactId: "ann", addressId: "ann-mail" },
  { contactId: "ann", addressId: "shared" },
  { contactId: "ben", addressId: "ben-mail" },
  { contactId: "ben", addressId: "shared" },
];
const directory: Directory = {
  profiles: [
    aProfile("shift", [to("ann-mail", "Days", 5), to("team", "Nights", 10)]),
    aProfile("nested", [to("shift"), to("ben-mail", "Weekends")]),
    aProfile("empty", []),
  ],
  groups: [aGroup("team", ["ann", "ben-mail", "gone"]), aGroup("nobody", [])],
  addresses,
};

const rows: readonly {
  readonly name: string;
  readonly subscriptions: readonly Subscription[];
  /** `contact address schedule delay`, with additional schedules and delays. */
  readonly expected: readonly string[];
}[] = [
  {
    name: "a contact is all its addresses",
    subscriptions: [to("ann", "Days", 3)],
    expected: ["ann ann-mail Days 3", "ann shared Days 3"],
  },
  {
    name: "an address is itself, with every contact that has it",
    subscriptions: [to("shared")],
    expected: ["ann shared All 0", "ben shared All 0"],
  },
  {
    name: "a group is its members, under the schedule and delay it is named with",
    subscriptions: [to("team", "Days", 3)],
    expected: ["ann ann-mail Days 3", "ann shared Days 3", "ben ben-mail Days 3"],
  },
  {
    name: "a profile brings its own schedules, and its delays begin after its own",
    subscriptions: [to("shift", "Weekends", 2)],
    expected: ["ann ann-mail Days 7 Nights 12", "ann shared Nights 12", "ben ben-mail Nights 12"],
  },
  {
    name: "a profile within a profile is nobody",
    subscriptions: [to("nested")],
    expected: ["ben ben-mail Weekends 0"],
  },
  {
    name: "the soonest of several ways to an address counts, with its schedule",
    subscriptions: [to("team", "Days", 3), to("ann-mail", "Nights", 1), to("ben", "Weekends", 9)],
    expected: [
      "ann ann-mail Nights 1 Days 3",
      "ann shared Days 3",
      "ben ben-mail Days 3 Weekends 9",
      "ben shared Weekends 9",
    ],
  },
  {
    name: "of two ways with the same delay the one that is named first counts",
    subscriptions: [to("ben-mail", "Days"), to("team", "Nights")],
    expected: ["ann ann-mail Nights 0", "ann shared Nights 0", "ben ben-mail Days 0 Nights 0"],
  },
  {
    name: "what is gone or empty is nobody",
    subscriptions: [to("gone"), to("nobody"), to("empty"), to("__proto__")],
    expected: [],
  },
];

for (const { name, subscriptions, expected } of rows) {
  test(name, () => {
    const recipients = expand(subscriptions, directory).map(({ others = [], ...recipient }) =>
      [recipient, ...others].flatMap((each) => Object.values(each)).join(" "),
    );
    assert.deepEqual(recipients.toSorted(), expected);
  });
}

const recipientId = fc.constantFrom("ann", "ben", "ann-mail", "ben-mail", "shared", "gone");
const groupId = fc.constantFrom("G1", "G2");
const subscriptionOf = (id: fc.Arbitrary<string>): fc.Arbitrary<Subscription> =>
  fc.record({
    recipientId: id,
    schedule: fc.constantFrom("All", "Days", "Nights"),
    delayMinutes: fc.nat({ max: 5 }),
  });
const members = fc.uniqueArray(recipientId);
const directories: fc.Arbitrary<Directory> = fc
  .tuple(
    fc.array(subscriptionOf(fc.oneof(recipientId, groupId))),
    fc.array(subscriptionOf(fc.oneof(recipientId, groupId))),
    fc.tuple(members, members),
  )
  .map(([first, second, [one, two]]) => ({
    profiles: [aProfile("P1", first), aProfile("P2", second)],
    groups: [aGroup("G1", one), aGroup("G2", two)],
    addresses,
  }));
const wishes = fc.array(
  subscriptionOf(fc.oneof(recipientId, groupId, fc.constantFrom("P1", "P2"))),
);

function keyOf({ contactId, addressId }: AddressRef): string {
  return `${contactId} ${addressId}`;
}

/** Every way from a subscription to an address, in the order in which they are named. */
function ways(
  subscriptions: readonly Subscription[],
  { profiles, groups, addresses }: Directory,
): readonly Recipient[] {
  return subscriptions
    .flatMap((asked) => {
      const profile = profiles.find(({ id }) => id === asked.recipientId);
      if (profile === undefined) return [asked];
      return profile.subscriptions.map((own) => ({
        ...own,
        delayMinutes: own.delayMinutes + asked.delayMinutes,
      }));
    })
    .flatMap((asked) => {
      const group = groups.find(({ id }) => id === asked.recipientId);
      if (group === undefined) return [asked];
      return group.members.map((member) => ({ ...asked, recipientId: member }));
    })
    .flatMap(({ recipientId, schedule, delayMinutes }) =>
      addresses
        .filter(
          ({ contactId, addressId }) => contactId === recipientId || addressId === recipientId,
        )
        .map((address) => ({ ...address, schedule, delayMinutes })),
    );
}

test("every address that a way leads to is alerted once, at the soonest, in the order of the ways", () => {
  fc.assert(
    fc.property(wishes, directories, (subscriptions, directory) => {
      const all = ways(subscriptions, directory);
      const recipients = expand(subscriptions, directory);
      assert.deepEqual(recipients.map(keyOf), [...new Set(all.map(keyOf))]);
      for (const recipient of recipients) {
        const own = all.filter((way) => keyOf(way) === keyOf(recipient));
        const least = Math.min(...own.map(({ delayMinutes }) => delayMinutes));
        assert.equal(recipient.delayMinutes, least);
        assert.ok(
          own.some(
            ({ schedule, delayMinutes }) =>
              schedule === recipient.schedule && delayMinutes === least,
          ),
        );
      }
    }),
  );
});

test("an address is alerted after the soonest delay that ends in a window of the way it is of, where there is one", () => {
  const minutes = fc.uniqueArray(fc.nat({ max: 10 }));
  const openings = fc.record({ Days: minutes, Nights: minutes });
  fc.assert(
    fc.property(wishes, directories, openings, (subscriptions, directory, { Days, Nights }) => {
      const isOpen = (schedule: string, at: number): boolean =>
        schedule === "All" || (schedule === "Days" ? Days : Nights).includes(at / 60_000);
      const all = ways(subscriptions, directory);
      for (const recipient of expand(subscriptions, directory)) {
        const open = all
          .filter((way) => keyOf(way) === keyOf(recipient))
          .filter(({ schedule, delayMinutes }) => isOpen(schedule, delayMinutes * 60_000))
          .map(({ delayMinutes }) => delayMinutes);
        const { delayMinutes } = inWindow(recipient, 0, isOpen);
        assert.equal(delayMinutes, open.length === 0 ? recipient.delayMinutes : Math.min(...open));
        const names = schedulesOf(recipient);
        assert.ok(names.some((name) => isOpen(name, delayMinutes * 60_000)) || open.length === 0);
      }
    }),
  );
});

test("a flip alerts no more addresses than it may, those named first, and each still at its soonest", () => {
  const many = Array.from({ length: maxRecipients + 1 }, (_, index) => `a${index}`);
  const recipients = expand([to("everybody", "All", 1), to("a0", "Days")], {
    profiles: [],
    groups: [aGroup("everybody", many)],
    addresses: many.map((addressId) => ({ contactId: "ann", addressId })),
  });
  assert.deepEqual(
    recipients.map(({ addressId }) => addressId),
    many.slice(0, maxRecipients),
  );
  assert.deepEqual([recipients[0]?.schedule, recipients[1]?.schedule], ["Days", "All"]);
});
