import { isRecord } from "../../../../kit/safe-json.ts";
import type { JsonObject } from "../../../api-client.ts";
import { noteFields } from "../../fields.ts";
import {
  createNotes,
  type ImportEnvironment,
  type Imported,
  type ImportedMaintenance,
  type ImportSystem,
} from "../../imported.ts";
import { object, objects, readImportFiles, text, texts } from "../../source.ts";
import { goSeconds } from "../../units.ts";
import { cronOf, durationOf, noteRest } from "../../windows.ts";
import { alertsOf, contactsOf } from "./alerting.ts";
import { endpointToCheck, externalToCheck, keyOf } from "./endpoint.ts";
import { configFields, windowFields } from "./fields.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export const gatus: ImportSystem = {
  name: "gatus",
  description: "gatus: its config.yaml, or the folder that is its configuration.",
  repeatsIds: true,
  async read(path, environment) {
    const missing = new Set<string>();
    const files = (await readImportFiles(path)).map(({ value }) =>
      object(expanded(value, { environment, missing })),
    );
    const all = (name: string): JsonObject[] => files.flatMap((file) => objects(file[name]));
    const alerting = Object.assign({}, ...files.map((file) => object(file.alerting)));
    const absent: Imported["absent"][number][] = [...missing].map((name) => ({
      kind: "variable",
      from: name,
      name,
      reason: "it is not set here: set it in the environment, and import again",
    }));
    const settings = createNotes();
    for (const file of files) noteFields(file, configFields, settings);
    for (const { field, reason } of settings.list)
      absent.push({ kind: "setting", from: field, name: field, reason });
    const endpoints = all("endpoints").flatMap((endpoint) => {
      const made = endpointToCheck(endpoint, alerting);
      if (typeof made !== "string") return [made];
      const name = text(endpoint.name) ?? "";
      absent.push({ kind: "check", from: keyOf(endpoint), name, reason: made });
      return [];
    });
    const externals = all("external-endpoints").map((each) => externalToCheck(each, alerting));
    for (const suite of all("suites"))
      absent.push({
        kind: "suite",
        from: text(suite.name) ?? "",
        name: text(suite.name) ?? "",
        reason: "steps that use each other's answers do not exist here",
      });
    const alerts = [...all("endpoints"), ...all("external-endpoints")].flatMap((each) =>
      alertsOf(each, alerting),
    );
    const checks = [...endpoints, ...externals];
    return {
      contacts: contactsOf(
        alerting,
        alerts.filter(({ isEnabled }) => isEnabled),
      ),
      checks,
      maintenance: [
        ...files.flatMap((file) =>
          maintenanceOf(object(file.maintenance), {
            from: "maintenance",
            name: "gatus maintenance",
            checks: checks.map(({ from }) => from),
          }),
        ),
        ...[...all("endpoints"), ...all("external-endpoints")].flatMap((endpoint) =>
          objects(endpoint["maintenance-windows"]).flatMap((window, index) =>
            maintenanceOf(window, {
              from: `${keyOf(endpoint)} ${index + 1}`,
              name: `${text(endpoint.name) ?? keyOf(endpoint)}, maintenance ${index + 1}`,
              checks: [keyOf(endpoint)],
            }),
          ),
        ),
      ],
      absent,
    };
  },
};

/** Returns no maintenance for a window that is disabled, or has no time. */
function maintenanceOf(
  window: JsonObject,
  { from, name, checks }: Pick<ImportedMaintenance, "from" | "name" | "checks">,
): readonly ImportedMaintenance[] {
  const notes = createNotes();
  const every = texts(window.every).map((day) => DAYS.indexOf(day));
  const cron = cronOf({
    time: text(window.start),
    weekdays: every.filter((at) => at !== -1),
  });
  if (cron === undefined || window.enabled === false) return [];
  noteRest(notes);
  noteFields(window, windowFields, notes);
  const duration = durationOf(goSeconds(window.duration) ?? 3600, notes);
  const timeZone = text(window.timezone) ?? "UTC";
  const parameters = { cron, duration, enabled: true };
  return [{ from, name, parameters, timeZone, checks, notes: notes.list }];
}

interface Variables {
  readonly environment: ImportEnvironment;
  /** Variables that are not set. */
  readonly missing: Set<string>;
}

/** Puts variables of the environment into all texts, as gatus does when it starts. */
function expanded(value: unknown, known: Variables): unknown {
  if (typeof value === "string")
    return value.replaceAll(/\$(?:\$|\w+|\{\w+\})/g, (all) => {
      if (all === "$$") return "$";
      const name = all.replaceAll(/[${}]/g, "");
      const found = known.environment[name];
      if (found === undefined) known.missing.add(name);
      return found ?? all;
    });
  if (Array.isArray(value)) return value.map((each: unknown) => expanded(each, known));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, expanded(each, known)]),
  );
}
