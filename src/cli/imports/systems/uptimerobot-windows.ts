import type { JsonObject } from "../../api-client.ts";
import { noteFields } from "../fields.ts";
import { createNotes, type ImportedMaintenance, type Notes } from "../imported.ts";
import { number, objects, text } from "../source.ts";
import { cronOf, durationOf, instantIn } from "../windows.ts";
import { windowFields } from "./uptimerobot-fields.ts";

const intervals: Readonly<Record<string, string>> = {
  1: "once",
  2: "daily",
  3: "weekly",
  4: "monthly",
};

interface Covered {
  readonly window: JsonObject;
  readonly timeZone: string;
  readonly checks: readonly string[];
}

/** Windows follow the clock of the account there, which only version 2 shows, and only where it is asked to; a number is no name of a zone. */
function zoneOf({ timezone }: JsonObject): string {
  const name = text(timezone) ?? "";
  return /[a-z]/i.test(name) ? name : "the account at UptimeRobot";
}

/** The windows that monitors have, each once, with the monitors it covers; those of which it is not clear when they are have a reason. */
export function windowsOf(
  monitors: readonly JsonObject[],
): readonly (ImportedMaintenance | string)[] {
  const covered = new Map<string, Covered>();
  for (const monitor of monitors)
    for (const window of [...objects(monitor.mwindows), ...objects(monitor.maintenanceWindows)]) {
      const id = text(window.id) ?? "";
      const { checks } = covered.get(id) ?? { checks: [] };
      const timeZone = zoneOf(monitor);
      covered.set(id, { window, timeZone, checks: [...checks, text(monitor.id) ?? ""] });
    }
  return [...covered].map(([from, { window, timeZone, checks }]) => {
    const notes = createNotes();
    const name = text(window.friendly_name) ?? text(window.name) ?? `Maintenance ${from}`;
    const times = timesOf(window, notes);
    if (times === undefined) return `${from}, ${name}`;
    notes.changed("effect", "checks do not run meanwhile");
    noteFields(window, windowFields, notes);
    const duration = durationOf((number(window.duration) ?? 0) * 60, notes);
    const enabled = !["0", "paused"].includes((text(window.status) ?? "").toLowerCase());
    return {
      from,
      name,
      parameters: { ...times, duration, enabled },
      ...("cron" in times && { timeZone }),
      checks,
      notes: notes.list,
    };
  });
}

function timesOf(window: JsonObject, notes: Notes) {
  const interval = text(window.interval) ?? intervals[text(window.type) ?? ""];
  if (interval === "once") {
    const seconds = number(window.start_time);
    const start =
      seconds === undefined
        ? instantIn("UTC", `${text(window.date)} ${text(window.time)}`)
        : seconds * 1000;
    if (seconds === undefined) notes.changed("timezone", "its start is read as UTC");
    return start === undefined ? undefined : { start };
  }
  // Weekdays are from 1, which is Monday, to 7.
  const sent = Array.isArray(window.days) ? window.days : (text(window.value) ?? "").split("-");
  const days = sent.flatMap((day: unknown) => number(day) ?? []);
  const cron = cronOf({
    time: text(window.time) ?? text(window.start_time),
    ...(interval === "weekly" && { weekdays: days.map((day) => day % 7) }),
    ...(interval === "monthly" && { monthDays: days }),
  });
  if (cron === undefined) return undefined;
  return { cron };
}
