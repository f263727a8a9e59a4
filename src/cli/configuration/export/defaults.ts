import { isDeepStrictEqual } from "node:util";

import {
  defaultIntervalMinutes,
  defaultTimeoutSeconds,
  rechecksOf,
} from "../../../domain/check.ts";
import { defaultRecheckWait } from "../../../domain/run/recheck-wait.ts";
import type { JsonObject } from "../../api-client.ts";
import { addressDefaults } from "../contact-step.ts";
import { newPage } from "../status-page-entry.ts";

/** The values that members have where files do not have them and the record is new. */
export const defaults = {
  account: {
    timezone: "GMT0.0",
    location: ["wlw"],
    status: "Active",
    emailme: false,
    accountsuppressall: false,
    autodiagnotifications: false,
    recheckwait: defaultRecheckWait,
    defaultnotifications: [],
  },
  contact: { custrole: "notify", addresses: {} },
  address: addressDefaults,
  group: { members: [] },
  profile: { notifications: [] },
  check: {
    enabled: false,
    interval: defaultIntervalMinutes,
    public: false,
    runlocations: [],
    threshold: defaultTimeoutSeconds,
    sens: rechecksOf({ rechecks: undefined }),
    mute: false,
    autodiag: false,
    tags: [],
    description: "",
    homeloc: false,
    dep: false,
    notifications: [],
  },
  maintenance: { enabled: true, checklist: [] },
  page: { ...newPage, subscribe: true },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The members that differ from the defaults. */
export function differing(values: JsonObject, from: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, from[name])),
  );
}
