import type { components } from "../../api/schema.ts";

export type Maintenance = components["schemas"]["Maintenance"];
export type Named = readonly [id: string, maintenance: Maintenance];

export const repeats = ["daily", "weekly", "monthly", "cron"] as const;
export type Repeat = (typeof repeats)[number];

/** When a maintenance is to begin, as its form has it. */
export interface Plan {
  readonly when: "now" | "once" | "repeated";
  /** In the reader's own time, as the field of a browser has it: `2026-01-05T22:30`. */
  readonly start: string;
  readonly repeat: Repeat;
  /** `22:30`, in the account's time. */
  readonly time: string;
  /** As cron numbers them: 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly day: string;
  readonly cron: string;
}

export const newPlan: Plan = {
  when: "once",
  start: "",
  repeat: "weekly",
  time: "02:00",
  weekdays: [0],
  day: "1",
  cron: "",
};

/** The plan of a maintenance that there is already. */
export function planOf({ cron, start }: Pick<Maintenance, "cron" | "start">): Plan {
  if (cron === undefined) return { ...newPlan, start: start === undefined ? "" : localText(start) };
  const known = { ...newPlan, when: "repeated", cron } as const;
  const [, minute, hour, day = "", weekdays = ""] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-7](?:,[0-7])*)$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || (day !== "*" && weekdays !== "*"))
    return { ...known, repeat: "cron" };
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day !== "*") return { ...known, repeat: "monthly", time, day };
  if (weekdays === "*") return { ...known, repeat: "daily", time };
  return {
    ...known,
    repeat: "weekly",
    time,
    weekdays: weekdays.split(",").map((each) => Number(each) % 7),
  };
}

/** The cron of a plan that is repeated. */
export function cronOf({ repeat, time, weekdays, day, cron }: Plan): string {
  if (repeat === "cron") return cron.trim();
  const [hour = "0", minute = "0"] = time.split(":");
  const at = `${Number(minute)} ${Number(hour)}`;
  if (repeat === "daily") return `${at} * * *`;
  if (repeat === "monthly") return `${at} ${day.trim()} * *`;
  return `${at} * * ${[...weekdays].toSorted((one, other) => one - other).join(",")}`;
}

/** An instant as the field of a browser has it, in the reader's own time. */
export function localText(at: number): string {
  const date = new Date(at);
  const pad = (number: number): string => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** The last time of a maintenance that is over. */
export function lastOf({ history }: Pick<Maintenance, "history">): number | undefined {
  const times = Object.keys(history).map(Number);
  return times.length === 0 ? undefined : Math.max(...times);
}
