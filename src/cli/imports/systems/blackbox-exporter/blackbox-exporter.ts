import { basename } from "node:path";

import type { JsonObject } from "../../../api-client.ts";
import { noteFields } from "../../fields.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportSystem,
} from "../../imported.ts";
import { object, objects, readImportFiles, type ImportFile, text, texts } from "../../source.ts";
import { goSeconds, intervalOf, timeoutOf } from "../../units.ts";
import { jobFields } from "./fields.ts";
import { moduleToCheck } from "./module.ts";

const USUAL_INTERVAL_S = 60;
const USUAL_TIMEOUT_S = 10;

export const blackboxExporter: ImportSystem = {
  name: "blackbox-exporter",
  description:
    "blackbox exporter: a folder with its configuration, that of the Prometheus which scrapes it, and the files of targets that this one names.",
  async read(path) {
    const files = await readImportFiles(path);
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

type Labels = Readonly<Record<string, string>>;
const MAX_REGEX = 1000;

/** The labels of all targets of a job, and what of it cannot be read. */
function targetsOf(
  job: JsonObject,
  files: readonly ImportFile[],
): { readonly labels: readonly Labels[]; readonly problems: readonly string[] } {
  const problems = Object.keys(job)
    .filter((name) => name.endsWith("_sd_configs") && name !== "file_sd_configs")
    .map((name) => `${name}: only static_configs and file_sd_configs are read`);
  const ofFiles = objects(job.file_sd_configs).flatMap((config) =>
    texts(config.files).flatMap((pattern) => {
      const found = files.filter(({ name }) => matches(basename(name), basename(pattern)));
      if (found.length === 0) problems.push(`file_sd_configs: ${pattern} is not in the folder`);
      return found.flatMap(({ value }) => objects(value));
    }),
  );
  const params = Object.entries(object(job.params)).map(([name, values]) => [
    `__param_${name}`,
    texts(values)[0] ?? "",
  ]);
  const labels = [...objects(job.static_configs), ...ofFiles].flatMap((group) =>
    texts(group.targets).map((address) => ({
      ...Object.fromEntries(params),
      ...textsOf(group.labels),
      __address__: address,
    })),
  );
  const rules = objects(job.relabel_configs);
  return { labels: labels.flatMap((each) => relabelled(each, rules, problems)), problems };
}

function textsOf(value: unknown): Labels {
  return Object.fromEntries(
    Object.entries(object(value)).map(([name, each]) => [name, String(each)]),
  );
}

function matches(name: string, pattern: string): boolean {
  const parts = pattern
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^/]*")}$`).test(name);
}

/** Applies the rules of a job to the labels of a target; undefined if a rule drops it. */
function relabelled(
  labels: Labels,
  rules: readonly JsonObject[],
  problems: string[],
): readonly Labels[] {
  const found: Record<string, string> = { ...labels };
  for (const rule of rules) {
    const action = (text(rule.action) ?? "replace").toLowerCase();
    const source = texts(rule.source_labels)
      .map((name) => found[name] ?? "")
      .join(text(rule.separator) ?? ";");
    const match = matchOf(text(rule.regex) ?? "(.*)", source, problems);
    if ((action === "keep" && match === null) || (action === "drop" && match !== null)) return [];
    if (action === "keep" || action === "drop") continue;
    const target = text(rule.target_label);
    if (action !== "replace" || target === undefined) {
      problems.push(`relabel_configs: the action ${action} is not applied`);
      continue;
    }
    if (match === null) continue;
    const replacement = typeof rule.replacement === "string" ? rule.replacement : "$1";
    found[target] = replacement.replaceAll(
      /\$(?:\{(\d+)\}|(\d+))/g,
      (_, braced, bare) => match[Number(braced ?? bare)] ?? "",
    );
  }
  return [found];
}

/** Expressions are anchored there. */
function matchOf(regex: string, source: string, problems: string[]): RegExpExecArray | null {
  try {
    if (regex.length > MAX_REGEX) throw new Error("too long");
    return new RegExp(`^(?:${regex})$`, "s").exec(source);
  } catch {
    problems.push(`relabel_configs: ${regex} cannot be read`);
    return null;
  }
}
