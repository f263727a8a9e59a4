import { useSession } from "../../shell/session.ts";
import { zoneOf } from "../../parts/records/zone.ts";
import { useLocale, useText } from "../../text.ts";
import { cronOf, type Plan } from "./plan.ts";
import { weekdayLabel } from "./weekday-label.ts";

/** How a plan is repeated, in words where there are some, in the account's time. */
export function useRepeatText(): (plan: Plan) => string {
  const text = useText();
  const locale = useLocale();
  const { timezone, timezonename } = useSession();
  return (plan) => {
    const { repeat, time, day, weekdays } = plan;
    const zone = zoneOf(timezone, timezonename);
    if (repeat === "cron") return text("maintenance.cron", { cron: cronOf(plan), zone });
    const names = weekdays.map((each) => weekdayLabel(each, locale)).join(", ");
    return text(`maintenance.repeated.${repeat}`, { time, zone, day, weekdays: names });
  };
}
