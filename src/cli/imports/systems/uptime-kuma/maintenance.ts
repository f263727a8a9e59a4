import type { JsonObject } from "../../../api-client.ts";
import { createNotes } from "../../imported.ts";
import type { ImportedMaintenance } from "../../imported.ts";
import { isOn, number, text } from "../../source.ts";

const LONGEST_MINUTES = 10_080;

/** Undefined with a reason where there is nothing of the kind here. */
export function maintenanceOf(
  row: JsonObject,
  { checks, serverZone }: { readonly checks: readonly string[]; readonly serverZone: string },
): ImportedMaintenance | string {
  const notes = createNotes();
  const strategy = text(row.strategy) ?? "";
  const seconds = number(row.duration) ?? 0;
  const duration = Math.min(Math.max(1, Math.ceil(seconds / 60)), LONGEST_MINUTES);
  if (duration * 60 !== seconds) notes.changed("duration", `${seconds} s becomes ${duration} min`);
  if (strategy === "manual") return "it is started by hand: POST /maintenance/ad-hoc does that";
  if (strategy === "single") return "a single time: plan it again here, with start and duration";
  const cron = text(row.cron);
  if (cron === undefined) return "it has no times";
  if (/L/.test(cron) || /lastDay/.test(text(row.days_of_month) ?? ""))
    return "the last day of a month cannot be planned here";
  const days = number(row.interval_day) ?? 1;
  if (strategy === "recurring-interval" && days > 1)
    return `every ${days} days cannot be planned here, only days of the week or month`;
  const zone = text(row.timezone) ?? "SAME_AS_SERVER";
  notes.changed(
    "timezone",
    `its times are those of the account's clock; they were those of ${zone === "SAME_AS_SERVER" ? serverZone : zone}, so mind both and their summer times`,
  );
  notes.changed("effect", "checks do not run meanwhile");
  if (text(row.description) !== undefined) notes.leftOut("description", "it has a name alone");
  return {
    from: String(row.id),
    name: text(row.title) ?? `Maintenance ${String(row.id)}`,
    parameters: { cron, duration, enabled: isOn(row.active) },
    checks,
    notes: notes.list,
  };
}
