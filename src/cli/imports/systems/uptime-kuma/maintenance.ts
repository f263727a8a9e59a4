import type { JsonObject } from "../../../api-client.ts";
import { leftOut, mapped, noSetting, noteFields, partOf, type Fields } from "../../fields.ts";
import { createNotes, type ImportedMaintenance, type Notes } from "../../imported.ts";
import { isOn, number, text } from "../../source.ts";
import { durationOf, instantIn } from "../../windows.ts";

/** The zone of uptime-kuma itself. */
const SAME_AS_SERVER = "SAME_AS_SERVER";

const common: Fields = {
  ...mapped("active id strategy timezone title"),
  ...noSetting("last_start_date user_id"),
  ...leftOut("description", "it has a name alone"),
};

export const single: Fields = {
  ...common,
  ...mapped("end_date start_date"),
  // The form keeps them for the strategies that are not chosen.
  ...partOf("strategy", "cron days_of_month duration end_time interval_day start_time weekdays"),
};

export const recurring: Fields = {
  ...common,
  ...mapped("cron days_of_month duration interval_day"),
  ...partOf("cron", "end_time start_time weekdays"),
  ...leftOut("start_date end_date", "it recurs from now on, without an end"),
};

/** Undefined with a reason where there is nothing of the kind here. */
export function maintenanceOf(
  row: JsonObject,
  { checks, serverZone }: { readonly checks: readonly string[]; readonly serverZone: string },
): ImportedMaintenance | string {
  const notes = createNotes();
  const sent = text(row.timezone) ?? SAME_AS_SERVER;
  const zone = sent === SAME_AS_SERVER ? serverZone : sent;
  const isSingle = text(row.strategy) === "single";
  const times = isSingle ? singleTimes(row, zone, notes) : recurringTimes(row, notes);
  if (typeof times === "string") return times;
  notes.changed("effect", "checks do not run meanwhile");
  noteFields(row, isSingle ? single : recurring, notes);
  return {
    from: String(row.id),
    name: text(row.title) ?? `Maintenance ${String(row.id)}`,
    parameters: { ...times, enabled: isOn(row.active) },
    ...(!isSingle && { timeZone: zone }),
    checks,
    notes: notes.list,
  };
}

type Times = Readonly<{ start?: number; cron?: string; duration: number }>;

function singleTimes(row: JsonObject, zone: string, notes: Notes): Times | string {
  const start = instantIn(zone, text(row.start_date));
  const end = instantIn(zone, text(row.end_date));
  if (start === undefined || end === undefined || end <= start)
    return `its start and end in ${zone} cannot be read`;
  return { start, duration: durationOf((end - start) / 1000, notes) };
}

function recurringTimes(row: JsonObject, notes: Notes): Times | string {
  const strategy = text(row.strategy) ?? "";
  if (strategy === "manual") return "it is started manually: POST /maintenance/ad-hoc does that";
  const cron = text(row.cron);
  if (cron === undefined) return "it has no times";
  if (/L/.test(cron) || /lastDay/.test(text(row.days_of_month) ?? ""))
    return "the last day of a month cannot be planned here";
  const days = number(row.interval_day) ?? 1;
  if (strategy === "recurring-interval" && days > 1)
    return `every ${days} days cannot be planned here, only days of the week or month`;
  return { cron, duration: durationOf(number(row.duration) ?? 0, notes) };
}
