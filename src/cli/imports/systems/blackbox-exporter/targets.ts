import { basename } from "node:path";

import type { JsonObject } from "../../../api-client.ts";
import { object, objects, text, texts, type SourceFile } from "../../source.ts";

export type Labels = Readonly<Record<string, string>>;

const MOST_REGEX = 1000;

/** The labels of all targets of a job, and what of it cannot be read. */
export function targetsOf(
  job: JsonObject,
  files: readonly SourceFile[],
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

/** Applies the rules of a job to the labels of a target; none where a rule drops it. */
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
    if (regex.length > MOST_REGEX) throw new Error("too long");
    return new RegExp(`^(?:${regex})$`, "s").exec(source);
  } catch {
    problems.push(`relabel_configs: ${regex} cannot be read`);
    return null;
  }
}
