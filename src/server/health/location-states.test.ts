import assert from "node:assert/strict";
import { test } from "node:test";

import { locationStates, locationTroubles, remoteTroubles } from "./location-states.ts";

const [ld, ny] = [
  { code: "ld", region: "eur" },
  { code: "ny", region: "nam" },
] as const;
const controllerThatSees = (...online: readonly string[]) => ({
  sight: { isOnline: (location: string) => online.includes(location) },
});
const probe = {
  health: {
    watched: () => assert.fail(),
    stateOf: ({ code }: { readonly code: string }) => ({
      location: code,
      isOnline: true,
      resolverAnswers: false,
    }),
  },
};

test("a process with all roles joins what reports and runs show", () => {
  const states = locationStates({
    own: [ld],
    live: [ld, ny],
    probe,
    controller: controllerThatSees("ny"),
  });
  assert.deepEqual(states, [
    { location: "ld", isOnline: false, resolverAnswers: false },
    { location: "ny", isOnline: true, resolverAnswers: undefined },
  ]);
  assert.deepEqual(locationTroubles(states), [
    "location ld seems to be offline",
    "the resolver of location ld does not answer",
  ]);
});

test("a process knows nothing of locations that it has nothing to do with", () => {
  const known = { own: [ld], live: [ld, ny], probe: undefined, controller: undefined };
  assert.deepEqual(locationStates(known), []);
  assert.deepEqual(locationStates({ ...known, probe }), [
    { location: "ld", isOnline: true, resolverAnswers: false },
  ]);
});

test("a process says which locations on other machines run no checks", () => {
  const presence = {
    troubles: () => ["location sg sends too much, and is cut off: it runs no checks"],
    gone: () => [
      { ...ld, seenMsAgo: 61_400 },
      { code: "ny", region: "nam" as const, seenMsAgo: 51 * 3_600_000 },
    ],
  };
  assert.deepEqual(remoteTroubles(presence), [
    "location sg sends too much, and is cut off: it runs no checks",
    "location ld runs no checks: it was last seen 1 min 1 s ago",
    "location ny runs no checks: it was last seen 2 d 3 h ago",
  ]);
});
