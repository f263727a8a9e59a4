import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";

export type Profile = components["schemas"]["NotificationProfile"];

/** Whom a profile alerts, when, and after how long. Numbers are as the fields of the form have them. */
export interface Step {
  readonly recipient: string;
  readonly schedule: string;
  readonly delay: string;
  /** Minutes between reminders; empty for none. */
  readonly repeat: string;
  readonly count: string;
  readonly until: string;
}

export const newStep: Step = {
  recipient: "",
  schedule: "All",
  delay: "0",
  repeat: "",
  count: "",
  until: "",
};

export async function loadProfiles(): Promise<readonly Profile[]> {
  const all = Object.values(await dataOf(api.GET("/notificationprofiles")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The steps of a profile, those that go out first in front. */
export function stepsOf({ notifications }: Pick<Profile, "notifications">): readonly Step[] {
  return notifications
    .flatMap((element) => Object.entries(element))
    .map(([recipient, { schedule, delay, repeat, repeatcount, repeatuntil }]) => ({
      recipient,
      schedule,
      delay: String(delay),
      repeat: textOf(repeat),
      count: textOf(repeatcount),
      until: textOf(repeatuntil),
    }))
    .toSorted((one, other) => Number(one.delay) - Number(other.delay));
}

type Sent = NonNullable<
  NonNullable<components["schemas"]["PostNotificationprofiles"]>["notifications"]
>;

export function wireOf(steps: readonly Step[]): Sent {
  return steps.map(({ recipient, schedule, delay, repeat, count, until }) => ({
    [recipient]: {
      schedule,
      delay: delay.trim() === "" ? 0 : delay,
      ...(repeat.trim() !== "" && {
        repeat,
        ...(count.trim() !== "" && { repeatcount: count }),
        ...(until.trim() !== "" && { repeatuntil: until }),
      }),
    },
  }));
}

function textOf(number: number | undefined): string {
  return number === undefined ? "" : String(number);
}
