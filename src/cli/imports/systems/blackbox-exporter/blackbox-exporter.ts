import type { JsonObject } from "../../../api-client.ts";
import { noteFields } from "../../fields.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportSystem,
} from "../../imported.ts";
import { object, objects, readSources, text } from "../../source.ts";
import { goSeconds, intervalOf, timeoutOf } from "../../units.ts";
import { jobFields } from "./fields.ts";
import { moduleToCheck } from "./module.ts";
import { targetsOf, type Labels } from "./targets.ts";

const USUAL_INTERVAL_S = 60;
const USUAL_TIMEOUT_S = 10;

export const blackboxExporter: ImportSystem = {
  name: "blackbox-exporter",
  description:
    "blackbox exporter: a folder with its configuration, that of the Prometheus which scrapes it, and the files of targets that this one names.",
  async read(path) {
    const files = await readSources(path);
    const configs = files.map(({ value }) => object(value));
    const modules = Object.assign({}, ...configs.map(({ modules: each }) => object(each)));
    const absent: Imported["absent"][number][] = [];
    const checks = configs.flatMap((config) =>
      objects(config.scrape_configs).flatMap((job) => {
        if (text(job.metrics_path) !== "/probe") return [];
        const name = text(job.job_name) ?? "";
        const { labels, problems } = targetsOf(job, files);
        for (const reason of new Set([...problems, ...lostFields(job)]))
          absent.push({ kind: "job", from: name, name, reason });
        return labels.flatMap((each) => {
          const made = checkOf({ job, labels: each, modules, global: object(config.global) });
          if (typeof made !== "string") return [made];
          const from = each.__param_target ?? each.__address__ ?? "";
          absent.push({ kind: "check", from: `${name} ${from}`, name: from, reason: made });
          return [];
        });
      }),
    );
    if (checks.length > 0)
      absent.push({
        kind: "rules",
        from: "alerting",
        name: "rules of Prometheus",
        reason: "who is alerted stands in Alertmanager: add recipients",
      });
    return { contacts: [], checks, maintenance: [], absent };
  },
};

/** Fields of a job that this import does not know; other discoveries of targets are named with the targets. */
function lostFields(job: JsonObject): readonly string[] {
  const notes = createNotes();
  const own = Object.entries(job).filter(([name]) => !name.endsWith("_sd_configs"));
  noteFields(Object.fromEntries(own), jobFields, notes);
  return notes.list.map(({ field, reason }) => `${field}: ${reason}`);
}

interface Probe {
  readonly job: JsonObject;
  readonly labels: Labels;
  readonly modules: JsonObject;
  readonly global: JsonObject;
}

function checkOf({ job, labels, modules, global }: Probe): ImportedCheck | string {
  const notes = createNotes();
  const [target, moduleName] = [labels.__param_target, labels.__param_module];
  if (target === undefined || target === "") return "no label __param_target says what is probed";
  if (moduleName === undefined) return "no module is named";
  if (!Object.hasOwn(modules, moduleName)) return `no configuration has the module ${moduleName}`;
  const settings = object(modules[moduleName]);
  if (labels.__param_hostname !== undefined)
    notes.off("params.hostname", "the host that is asked for is that of the address");
  const typed = moduleToCheck({ settings, target }, notes);
  if (typeof typed === "string") return typed;
  const scrapeTimeout =
    goSeconds(job.scrape_timeout) ?? goSeconds(global.scrape_timeout) ?? USUAL_TIMEOUT_S;
  const timeout = Math.min(scrapeTimeout, goSeconds(settings.timeout) ?? Infinity);
  const interval =
    goSeconds(job.scrape_interval) ?? goSeconds(global.scrape_interval) ?? USUAL_INTERVAL_S;
  const tags = Object.entries(labels)
    .filter(([name, value]) => !name.startsWith("__") && name !== "instance" && value !== "")
    .map(([name, value]) => `${name}:${value}`.slice(0, 100));
  const jobName = text(job.job_name) ?? "";
  return {
    from: `${jobName} ${moduleName} ${target}`.slice(0, 300),
    name: labels.instance ?? target,
    type: typed.type,
    ...(typed.target !== undefined && { target: typed.target }),
    parameters: {
      ...intervalOf(interval, notes),
      ...timeoutOf(timeout, notes),
      sens: 0,
      ...typed.parameters,
      tags: [`job:${jobName}`.slice(0, 100), ...tags],
      enabled: !notes.isOff(),
    },
    recipients: [],
    aliases: [],
    notes: notes.list,
  };
}
