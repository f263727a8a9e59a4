import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { families } from "../src/api/check-metrics/families.ts";
import { commandsPart, writeCatalogue } from "./catalogue.ts";
import { writeFormTexts } from "./form-texts.ts";
import { requestConventions } from "../src/api/openapi/openapi.ts";
import { jsonSchemaOf, isRequired } from "../src/api/openapi/schemas.ts";
import type { Resource } from "../src/api/operation.ts";
import { createResources } from "../src/api/registry.ts";
import { counters, createMetrics, histograms, metricName } from "../src/server/metrics.ts";
import { settings } from "../src/settings/settings.ts";
import { serviceForms } from "../src/channels/service-settings.ts";
import { services } from "../src/channels/services/registry.ts";
import { checkTypes } from "../src/checks/registry.ts";
import { retentionTable } from "../src/store/retention/lifetimes.ts";
import { createApiFixture } from "../test/api-fixture.ts";
import { attacks } from "../test/guards/attacks.ts";
import { findings, type Finding } from "../test/guards/findings.ts";
import { serviceProblemNames, serviceProblems } from "../src/domain/service-problem.ts";
import type { TestReference } from "../test/guards/guard.ts";
import { guards, type MarkedTest } from "../test/guards/guards.ts";

const root = new URL("../", import.meta.url);
const END = "<!-- end -->";

type Row = readonly (string | undefined)[];

/** Returns the parts of the documents derived from code, for the text between the marks of each part. */
export async function derivedParts(): Promise<
  Readonly<Record<string, Readonly<Record<string, string>>>>
> {
  return {
    "docs/api.md": { "request conventions": requestConventions },
    "docs/api-reference.md": { resources: await resourcesPart() },
    "docs/command-line.md": { commands: await commandsPart() },
    "docs/channels.md": { services: servicesPart(), "service recipes": recipesPart() },
    "docs/check-types.md": { "check types": checkTypesPart() },
    "docs/operating.md": {
      settings: settingsPart(),
      metrics: await metricsPart(),
      events: eventsPart(),
      retention: table(["What", "Is kept"], retentionTable()),
    },
    "docs/prometheus.md": { "check metrics": checkMetricsPart() },
    "docs/self-monitoring.md": { "service problems": serviceProblemsPart() },
    "docs/security.md": { attacks: attacksPart(), findings: findingsPart(), guards: guardsPart() },
  };
}

/** The document with its parts as they are now. Throws where a part has no marks. */
export function withParts(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((whole, [name, part]) => {
    const begin = `<!-- derived: ${name} -->\n`;
    const [before, rest] = halves(whole, begin);
    const [, after] = halves(rest, END);
    return `${before}${begin}\n${part}\n\n${END}${after}`;
  }, text);
}

function halves(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`no such mark in the document ${JSON.stringify(mark.trim())}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function servicesPart(): string {
  const rows = serviceForms.map(({ name, fields, guide }): Row => [
    `[${name}](${guide})`,
    fields
      .map(({ name: field, required, title, choices = [] }) => {
        const words = choices.map(({ value }) => `\`${value}\``);
        const meaning = words.length === 0 ? title : `${title}: ${words.join(", ")}`;
        return `${required ? `\`${field}\`` : `[\`${field}\`]`} (${meaning})`;
      })
      .join(", "),
  ]);
  return table(["Service", "Settings"], rows);
}

/** What to do at each service, by name. */
function recipesPart(): string {
  return services
    .toSorted(({ name: one }, { name: other }) =>
      one.localeCompare(other, "en", { sensitivity: "base" }),
    )
    .map(({ name, recipe: { steps, addresses, more } }) =>
      [
        `### ${name}`,
        steps,
        ["```", ...addresses, "```"].join("\n"),
        ...(more === undefined ? [] : [more]),
      ].join("\n\n"),
    )
    .join("\n\n");
}

function settingsPart(): string {
  const rows = Object.entries(settings.shape).map(([name, schema]): Row => {
    const { fallback, meaning } = schema.meta() ?? {};
    return [`\`${name}\``, described(name, fallback), described(name, meaning)];
  });
  return table(["Setting", "Unless set", "Means"], rows);
}

function serviceProblemsPart(): string {
  const rows = serviceProblemNames.map((name): Row => {
    const { critical, meaning } = serviceProblems[name];
    return [`\`${name}\``, meaning, critical ? "yes" : ""];
  });
  return table(["Problem", "Means", "Critical"], rows);
}

function described(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`the setting has no fallback or no meaning ${JSON.stringify(name)}`);
}

function checkMetricsPart(): string {
  const rows = families.map(({ name, help }): Row => [`\`${name}\``, help]);
  return table(["Metric", "Says"], rows);
}

interface ExposedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The metrics that are exposed, by event. */
function exposedMetrics(): ReadonlyMap<string, ExposedMetric> {
  const exposed = (suffix: "total" | "seconds", declared: Readonly<Record<string, object>>) =>
    Object.entries(declared).map(
      ([event, { labels = [] }]: [string, { labels?: readonly string[] }]) =>
        [event, { name: metricName(event, suffix), labels }] as const,
    );
  return new Map([...exposed("total", counters), ...exposed("seconds", histograms)]);
}

async function metricsPart(): Promise<string> {
  const { body } = await createMetrics({
    scheduledChecks: () => 0,
    canCommit: () => true,
    isShort: () => false,
    oldestCommitMs: () => 0,
    probeThreads: () => 0,
  }).expose();
  const labelsOf = new Map(
    [...exposedMetrics().values()].map(({ name, labels }) => [name, labels]),
  );
  const rows = [...body.matchAll(/^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)$/gm)]
    .filter(([, name = ""]) => !/^watchpost_(process|nodejs)_/.test(name))
    .map(([, name = "", help, kind]): Row => {
      const labels = (labelsOf.get(name) ?? []).map((label) => `\`${label}\``);
      return [`\`${name}\``, kind, labels.join(", "), help];
    });
  return table(["Metric", "Kind", "Labels", "Means"], rows);
}

function eventsPart(): string {
  const levels = new Map<string, Set<string>>();
  for (const { verb, name } of sources().flatMap((text) => callsOf(text, "log")))
    levels.set(name, (levels.get(name) ?? new Set()).add(verb));
  const metrics = exposedMetrics();
  const rows = [...levels].toSorted(byFirst).map(([name, found]): Row => {
    const metric = metrics.get(name)?.name;
    return [`\`${name}\``, [...found].toSorted().join(", "), metric && `\`${metric}\``];
  });
  return table(["Event", "Level", "Metric"], rows);
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

export interface Call {
  readonly verb: string;
  readonly name: string;
}

/** The calls of a log or a meter, with the dotted name each is given: literally, or by a constant that holds one or another. */
export function callsOf(text: string, object: "log" | "meter"): readonly Call[] {
  const call = new RegExp(`\\b${object}\\.(\\w+)\\(\\s*(?:"([^"]*)"|(\\w+))`, "g");
  return [...text.matchAll(call)].flatMap((match) => {
    const [, verb = "", literal, constant = ""] = match;
    const names = literal === undefined ? namesOf(constant, text.slice(0, match.index)) : [literal];
    if (names.length === 0)
      throw new Error(`the name cannot be determined: ${object}.${verb}(${constant}`);
    return names.map((name) => ({ verb, name }));
  });
}

/** The dotted names in the last declaration of a constant. */
function namesOf(constant: string, before: string): readonly string[] {
  const [, ...declarations] = before.split(`const ${constant} = `);
  const [value = ""] = declarations.at(-1)?.split(";") ?? [];
  return [...value.matchAll(/"(\w+\.\w+)"/g)].map(([, name = ""]) => name);
}

/** The program without its tests. */
export function sources(): readonly string[] {
  return globSync("src/**/*.ts", { cwd: fileURLToPath(root) })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => readFileSync(new URL(path, root), "utf8"));
}

const drivers = {
  probe: "A probe runs it.",
  push: "No probe runs it: your system reports.",
} as const;

function checkTypesPart(): string {
  return checkTypes
    .map(({ type, summary, driver, schema, example, assigned }) => {
      const rows = Object.entries(schema.shape).map(([name, parameter]): Row => {
        const unsent = parameter.safeParse(undefined);
        const fallback = unsent.success ? textOf(unsent.data) : "required";
        return [
          `\`${name}\``,
          parameter.description,
          valuesOf(parameter),
          assigned.includes(name) ? "made by Watchpost" : fallback,
          name in example ? textOf(example[name]) : "",
        ];
      });
      const head = ["Parameter", "Means", "Value", "Unless sent", "Example"];
      return `### ${type}\n\n${summary.en}. ${drivers[driver]}\n\n${table(head, rows)}`;
    })
    .join("\n\n");
}

/** A section for each resource: its operations, and their parameters. */
async function resourcesPart(): Promise<string> {
  await using fixture = await createApiFixture();
  return createResources(fixture.deps)
    .map(({ name, summary, operations }) => {
      const rows = Object.entries(operations).map(([action, operation]): Row => [
        `\`${action}\``,
        operation.summary,
      ]);
      const tables = [table(["Operation", "Does"], rows), parameterTable(operations)];
      return `## ${name}\n\n${summary}.\n\n${tables.join("\n\n")}`;
    })
    .join("\n\n");
}

/** A parameter with the same description for several operations has one row. */
function parameterTable(operations: Resource["operations"]): string {
  const uses = Object.entries(operations).flatMap(([action, { input }]) =>
    Object.entries(input.shape).map(([name, parameter]) => {
      const { description = "" } = jsonSchemaOf(parameter);
      const values = `${valuesOf(parameter)}${isRequired(parameter) ? "; required" : ""}`;
      return { action, cells: [`\`${name}\``, description, values] };
    }),
  );
  const rows = [...Map.groupBy(uses, ({ cells }) => cells.join("\n")).values()].map((same): Row => {
    const [name, ...rest] = same[0]?.cells ?? [];
    return [name, same.map(({ action }) => action).join(", "), ...rest];
  });
  return table(["Parameter", "Operations", "Means", "Value"], rows);
}

/** Describes the valid values of a parameter in the words of its error message. */
function valuesOf(parameter: z.core.$ZodType): string {
  const refused = z.safeParse(parameter, Symbol("no value"));
  const message = refused.error?.issues[0]?.message ?? "anything";
  // The API's error for an invalid URL starts as it always has.
  return message.replace("Invalid URL, must be one that", "a URL that").replace(/^must be /, "");
}

function attacksPart(): string {
  const rows = attacks.map((attack, index): Row => [
    String(index + 1),
    attack.attack,
    attack.required,
    shownBy(attack),
  ]);
  return table(["", "Attack", "What must hold", "Shown by"], rows);
}

function findingsPart(): string {
  const rows = Object.entries(findings).map(([number, finding]): Row => [
    number,
    finding.found,
    shownBy(finding),
  ]);
  return table(["", "Found", "Shown by"], rows);
}

function shownBy({ guards: names, tests = [] }: Pick<Finding, "guards" | "tests">): string {
  return [...names.map((name) => `guard: ${name}`), ...tests.map(testText)].join("<br>");
}

function guardsPart(): string {
  const markedText = ({ file, title }: MarkedTest): string => testText({ file, name: title });
  const rows = Object.entries(guards).map(([name, { file, tests }]): Row => [
    name,
    `\`${file}\``,
    tests.map(markedText).join("<br>"),
  ]);
  return table(["Guard", "Where", "Fails without it"], rows);
}

function testText({ file, name }: TestReference): string {
  return `\`${file}\`: ${name.replaceAll(/[<>*_[\]]/g, String.raw`\$&`)}`;
}

function textOf(value: unknown): string {
  return value === undefined ? "none" : `\`${JSON.stringify(value)}\``;
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string =>
    `| ${cells.map((cell = "") => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function writeProbeTypes(): void {
  const names = checkTypes.flatMap(({ type, driver }) => (driver === "probe" ? [type] : []));
  const lines = names.map((name) => `  ${JSON.stringify(name)},\n`).join("");
  const comment =
    "/** The types of checks that probes run, for processes that do not load them; written by `npm run documents`. */";
  writeFileSync(
    new URL("src/checks/probe-types.ts", root),
    `${comment}\nexport const probeTypes = [\n${lines}] as const;\n`,
  );
}

if (import.meta.main) {
  await writeCatalogue();
  writeProbeTypes();
  writeFormTexts();
  for (const [document, parts] of Object.entries(await derivedParts())) {
    const file = new URL(document, root);
    writeFileSync(file, withParts(readFileSync(file, "utf8"), parts));
  }
}
