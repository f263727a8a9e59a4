import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

import { fileTrouble } from "../../../../kit/file-error.ts";
import { parseJson } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import { CommandError } from "../../../command-context.ts";
import type { Imported, ImportSystem } from "../../imported.ts";
import { isOn, objects, object, readImportFiles, text } from "../../source.ts";
import { maintenanceOf } from "./maintenance.ts";
import { monitorToCheck } from "./monitor.ts";
import { notificationToContact } from "./notification.ts";
import { statusPageOf } from "./status-page.ts";
import { withHistories } from "./history.ts";
import { withDatabase, type Tables } from "./read-database.ts";

const SQLITE = "SQLite format 3\0";
const TABLES = [
  "monitor",
  "notification",
  "monitor_notification",
  "tag",
  "monitor_tag",
  "maintenance",
  "monitor_maintenance",
  "status_page",
  "status_page_cname",
  "group",
  "monitor_group",
  "incident",
  "setting",
];

export const uptimeKuma: ImportSystem = {
  name: "uptime-kuma",
  description: "uptime-kuma: its database kuma.db (stop it first), or a backup file of version 1.",
  repeatsIds: true,
  async read(path) {
    if (await isDatabase(path))
      return withDatabase(path, (database) => {
        const { checks, ...rest } = importedOf(database.tables(TABLES));
        return { ...rest, checks: withHistories(checks, database) };
      });
    const [file] = await readImportFiles(path);
    const backup = object(file?.value);
    if (!Array.isArray(backup.monitorList))
      throw new CommandError(`${path}: neither a database nor a backup of uptime-kuma`);
    return importedOf(backupTables(backup));
  },
};

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${JSON.stringify(path)}: ${fileTrouble(cause)}`, { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === SQLITE;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** A backup has the names of JavaScript, and its lists inside the monitors. */
function backupTables(backup: JsonObject): Tables {
  const monitors = objects(backup.monitorList);
  const snake = (row: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replaceAll(/(?<=[a-z])[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`),
        value,
      ]),
    );
  return {
    monitor: monitors.map(({ notificationIDList: _contacts, tags: _tags, ...row }) => snake(row)),
    notification: objects(backup.notificationList),
    monitor_notification: monitors.flatMap(({ id, notificationIDList }) =>
      Object.entries(object(notificationIDList))
        .filter(([, linked]) => isOn(linked))
        .map(([notification]) => ({ monitor_id: id, notification_id: notification })),
    ),
    monitor_tag: monitors.flatMap(({ id, tags }) =>
      objects(tags).map((tag) => ({ monitor_id: id, ...tag })),
    ),
  };
}

function importedOf(tables: Tables): Imported {
  const rows = (name: string): readonly JsonObject[] => tables[name] ?? [];
  const monitors = new Map(rows("monitor").map((row) => [String(row.id), row]));
  const absent: Imported["absent"][number][] = [];
  const kindOf = (row: JsonObject): string => text(row.type) ?? "";
  const checks = [...monitors].flatMap(([id, row]) => {
    // A group is a tag of what is in it.
    if (kindOf(row) === "group") return [];
    const check = monitorToCheck({
      row,
      isEnabled: isRunning(row, monitors),
      tags: [...tagsOf(id, tables), ...groupsOf(row, monitors)],
      notifications: rows("monitor_notification")
        .filter(({ monitor_id }) => String(monitor_id) === id)
        .map(({ notification_id }) => String(notification_id)),
    });
    if (typeof check !== "string") return [check];
    absent.push({ kind: "check", from: id, name: text(row.name) ?? "", reason: check });
    return [];
  });
  const serverZone = text(settingOf(tables, "serverTimezone")) ?? "UTC";
  const maintenance = rows("maintenance").flatMap((row) => {
    const id = String(row.id);
    const links = rows("monitor_maintenance").filter(
      ({ maintenance_id }) => String(maintenance_id) === id,
    );
    const covered = links.flatMap(({ monitor_id }) => withChildren(String(monitor_id), monitors));
    const made = maintenanceOf(row, { checks: [...new Set(covered)], serverZone });
    if (typeof made !== "string") return [made];
    absent.push({ kind: "maintenance", from: id, name: text(row.title) ?? "", reason: made });
    return [];
  });
  const statusPages = rows("status_page").map((page) => statusPageOf(page, tables));
  const contacts = rows("notification").map(notificationToContact);
  const fingerprint = fingerprintOf(tables);
  return {
    ...(fingerprint !== undefined && { fingerprint }),
    contacts,
    checks,
    maintenance,
    statusPages,
    absent,
  };
}

/** On only where all groups above it are. */
function isRunning(row: JsonObject, monitors: ReadonlyMap<string, JsonObject>): boolean {
  return [row, ...parentsOf(row, monitors)].every(({ active }) => isOn(active));
}

function parentsOf(
  row: JsonObject,
  monitors: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const seen = new Set([row]);
  for (let at: JsonObject | undefined = row; at !== undefined;) {
    at = monitors.get(String(at.parent));
    if (at === undefined || seen.has(at)) break;
    seen.add(at);
    found.push(at);
  }
  return found;
}

function groupsOf(row: JsonObject, monitors: ReadonlyMap<string, JsonObject>): readonly string[] {
  return parentsOf(row, monitors).map((parent) => `group:${text(parent.name) ?? ""}`.slice(0, 100));
}

function withChildren(id: string, monitors: ReadonlyMap<string, JsonObject>): readonly string[] {
  const above = (row: JsonObject): boolean =>
    parentsOf(row, monitors).some((parent) => String(parent.id) === id);
  return [id, ...[...monitors].filter(([, row]) => above(row)).map(([child]) => child)];
}

function tagsOf(id: string, tables: Tables): readonly string[] {
  const names = new Map((tables.tag ?? []).map((tag) => [String(tag.id), text(tag.name)]));
  return (tables.monitor_tag ?? [])
    .filter(({ monitor_id }) => String(monitor_id) === id)
    .map((link) => {
      const name = names.get(String(link.tag_id)) ?? text(link.name) ?? "";
      const value = text(link.value);
      return (value === undefined ? name : `${name}:${value}`).slice(0, 100);
    })
    .filter((tag) => tag !== "");
}

/** Each installation makes a secret when it starts for the first time. */
function fingerprintOf(tables: Tables): string | undefined {
  const row = (tables.setting ?? []).find(({ key }) => key === "jwtSecret");
  const secret = text(row?.value);
  return secret && createHash("sha256").update(`fingerprint ${secret}`).digest("hex").slice(0, 12);
}

/** A setting is JSON text. */
function settingOf(tables: Tables, name: string): unknown {
  const row = (tables.setting ?? []).find(({ key }) => key === name);
  const value = text(row?.value);
  if (value === undefined) return undefined;
  try {
    return parseJson(name, value);
  } catch {
    return undefined;
  }
}
