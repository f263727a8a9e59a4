import { noteFields } from "../../fields.ts";
import { createNotes, type ImportedCheck, type Notes, type TypedCheck } from "../../imported.ts";
import { isOn, number, text } from "../../source.ts";
import {
  descriptionOf,
  heartbeatOf,
  intervalOf,
  recheckOf,
  recheckWaitOf,
  timeoutOf,
} from "../../units.ts";
import type { Monitor } from "./columns.ts";
import { httpMonitor } from "./http-monitor.ts";
import { monitorFields } from "./monitor-fields.ts";
import { hostOf, otherTypes } from "./other-types.ts";

const HTTP_TYPES = new Set(["http", "keyword", "json-query"]);
const MAX_LABEL = 1000;

/** Converts a monitor to a check, or returns the reason why it cannot. */
export function monitorToCheck(monitor: Monitor): ImportedCheck | string {
  const { row } = monitor;
  const notes = createNotes();
  const type = text(row.type) ?? "";
  const typed = HTTP_TYPES.has(type)
    ? httpMonitor(monitor, notes)
    : type === "push"
      ? pushMonitor(monitor, notes)
      : (otherTypes[type]?.(monitor, notes) ?? withoutType(monitor, notes));
  if (typeof typed === "string") return typed;
  const retries = number(row.maxretries) ?? 0;
  const isPush = typed.type === "PUSH";
  const interval = number(row.interval);
  const timeout = number(row.timeout) ?? 0;
  const runs = isPush ? {} : intervalOf(interval, notes);
  const seconds = number(row.retry_interval) ?? interval ?? 0;
  const { delay, ...waits } = isPush
    ? {}
    : recheckWaitOf({ retries, seconds, interval: runs.interval }, notes);
  noteFields(row, monitorFields(type), notes);
  return {
    from: String(row.id),
    name: (text(row.name) ?? `Monitor ${String(row.id)}`).slice(0, MAX_LABEL),
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      ...(!isPush && {
        ...runs,
        ...timeoutOf(timeout > 0 ? timeout : (interval ?? 60) * 0.8, notes),
        ...recheckOf(retries, notes),
        ...waits,
      }),
      ...(text(row.ip_family) === "ipv6" && !isPush && { ipv6: true }),
      ...typed.parameters,
      ...descriptionOf(text(row.description), notes),
      ...(monitor.tags.length > 0 && { tags: monitor.tags }),
      enabled: monitor.isEnabled && !notes.isOff(),
    },
    recipients: monitor.notifications.map((contact) => ({
      contact,
      ...(delay !== undefined && { delay }),
    })),
    aliases: typed.aliases ?? [],
    notes: notes.list,
  };
}

function pushMonitor({ row }: Monitor, notes: Notes): TypedCheck {
  const period = number(row.interval) ?? 60;
  const grace = (number(row.maxretries) ?? 0) * (number(row.retry_interval) ?? period);
  const token = text(row.push_token);
  if (token === undefined) notes.leftOut("push_token", "it has none, so no old address works");
  if (isOn(row.upside_down)) notes.off("upside_down", "heartbeats cannot be inverted");
  notes.changed("first heartbeat", "a check that was never heard from gives no alarm");
  return {
    type: "PUSH",
    parameters: heartbeatOf({ period, grace }, notes),
    aliases: token === undefined ? [] : [`/api/push/${token}`],
  };
}

/** Types that there are not here, where a port can be looked at at least. */
function withoutType(monitor: Monitor, notes: Notes): TypedCheck | string {
  const { row } = monitor;
  const type = text(row.type) ?? "none";
  const { host, port } = hostOf(row);
  if (host === undefined || port === undefined) return `monitors of type ${type} do not exist here`;
  notes.changed("type", `${type} does not exist here: only the port is checked`);
  return {
    type: "PORT",
    target: host,
    parameters: { port, ...(isOn(row.upside_down) && { invert: true }) },
  };
}
