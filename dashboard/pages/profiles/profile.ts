import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { Refusal } from "../../parts/records/refusal.ts";

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

export function toBody(steps: readonly Step[]): Sent {
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

/** The fields of a step that a refusal can be about. */
export type StepField = "recipient" | "schedule" | "delay" | "repeat" | "count" | "until";

const stepFields: Readonly<Record<string, StepField>> = {
  delay: "delay",
  repeat: "repeat",
  repeatcount: "count",
  repeatuntil: "until",
};

/** Finds the field of a refused step, and the reason: the server's message ends with the recipient or the unknown value. */
export function refusalOfStep(
  refusal: Refusal | undefined,
  { recipient, schedule }: Pick<Step, "recipient" | "schedule">,
): { readonly field: StepField; readonly sentence: string } | undefined {
  if (refusal?.field !== "notifications") return undefined;
  const { sentence } = refusal;
  if (sentence.endsWith(` ${JSON.stringify(schedule)}`) && /schedule/.test(sentence))
    return { field: "schedule", sentence };
  if (recipient === "" || !sentence.endsWith(` ${JSON.stringify(recipient)}`)) return undefined;
  const [word = ""] = sentence.split(" ");
  return {
    field: stepFields[word] ?? "recipient",
    sentence: sentence.slice(0, -recipient.length - 3),
  };
}
