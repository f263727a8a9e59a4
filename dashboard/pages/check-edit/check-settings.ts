import type { components } from "../../api/schema.ts";
import { notificationsOf, recipientsOf, type Recipient } from "./recipients.ts";

export type Check = components["schemas"]["Check"];

/** Settings of every check besides its parameters, as shown in the form. */
export interface CheckSettings {
  readonly label: string;
  readonly enabled: boolean;
  readonly recipients: readonly Recipient[];
  /** Codes of regions and locations; empty for those of the account. */
  readonly locations: readonly string[];
  readonly tags: readonly string[];
  /** The id of the check that it depends on; empty for none. */
  readonly dep: string;
  readonly mute: boolean | number;
}

export const noSettings: CheckSettings = {
  label: "",
  enabled: true,
  recipients: [],
  locations: [],
  tags: [],
  dep: "",
  mute: false,
};

export function settingsOf(check: Check): CheckSettings {
  return {
    label: check.label,
    enabled: check.enabled === "active",
    recipients: recipientsOf(check.notifications),
    locations: check.runlocations,
    tags: check.tags,
    dep: check.dep === false ? "" : check.dep,
    mute: check.mute,
  };
}

/** Returns the settings to send: those that changed. */
export function sentSettings(
  before: CheckSettings,
  after: CheckSettings,
): Readonly<Record<string, unknown>> {
  const has = (name: keyof CheckSettings): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    ...(has("label") && { label: after.label }),
    ...(has("enabled") && { enabled: after.enabled }),
    ...(has("recipients") && {
      notifications: notificationsOf(after.recipients, before.recipients),
    }),
    ...(has("locations") && { runlocations: after.locations.length === 0 ? "" : after.locations }),
    ...(has("tags") && { tags: after.tags }),
    ...(has("dep") && { dep: after.dep === "" ? false : after.dep }),
    ...(has("mute") && { mute: after.mute }),
  };
}

/** The names under which the server may object to them, and those of the form. */
export const settingNames: Readonly<Record<string, keyof CheckSettings>> = {
  label: "label",
  enabled: "enabled",
  notifications: "recipients",
  runlocations: "locations",
  tags: "tags",
  dep: "dep",
  mute: "mute",
};
