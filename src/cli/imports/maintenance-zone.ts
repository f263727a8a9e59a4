import { z } from "zod";

import { nextClockChange, offsetIn } from "../../domain/account/time-zone.ts";
import { parseTimeZone } from "../../schema/time-zone.ts";
import { parseResponse, type ApiClient } from "../api-client.ts";
import type { Imported } from "./imported.ts";

/** Rules of time zones are known for some years. */
const COMPARED_MS = 2 * 366 * 86_400_000;

const target = z.object({ customer_id: z.string() });
const accountZone = z.object({ timezone: z.string(), timezonename: z.string().optional() });

/** Has maintenances that recur by other clocks than the account's come disabled, because they would be at other times here. */
export async function withAccountClock(
  api: ApiClient,
  imported: Imported,
  { origin, now }: { readonly origin: string; readonly now: number },
): Promise<Imported> {
  if (imported.maintenance.every(({ timeZone }) => timeZone === undefined)) return imported;
  const { customer_id: customerid } = parseResponse(
    target,
    await api("GET", "imports", { origin }),
  );
  const account = await api("GET", "accounts", { customerid });
  const { timezone, timezonename } = parseResponse(accountZone, account);
  const ours = timezonename ?? timezone;
  const maintenance = imported.maintenance.map((each) => {
    const { timeZone, parameters, notes } = each;
    if (timeZone === undefined || showSameTimes([timeZone, ours], now)) return each;
    const reason = `its times are those of ${timeZone}, and here they would be those of the account's time zone, ${ours}; it is off`;
    return {
      ...each,
      parameters: { ...parameters, enabled: false },
      notes: [...notes, { outcome: "changed", field: "timezone", reason } as const],
    };
  });
  return { ...imported, maintenance };
}

/** Whether clocks of the zones show the same for the next years; not for a zone that is not known. */
function showSameTimes(texts: readonly string[], now: number): boolean {
  const zones = texts.map(parseTimeZone);
  const [one, other] = zones.map((zone) => zone && JSON.stringify(offsetsFrom(zone, now)));
  return one !== undefined && one === other;
}

/** The offset at that time, and at each change of the clocks after it. */
function offsetsFrom(timeZone: string, now: number): readonly (readonly [number, number])[] {
  const offsets = [[now, offsetIn(timeZone, now)] as const];
  let change = nextClockChange(timeZone, now);
  while (change !== undefined && change < now + COMPARED_MS) {
    offsets.push([change, offsetIn(timeZone, change)]);
    change = nextClockChange(timeZone, change);
  }
  return offsets;
}
