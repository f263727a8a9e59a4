import { writeFileSync } from "node:fs";

import { z } from "zod";

import { jsonSchemaOf, isRequired } from "../src/api/openapi/schemas.ts";
import type { Operation } from "../src/api/operation.ts";
import { createResources } from "../src/api/registry.ts";
import { checkTypes } from "../src/checks/registry.ts";
import type {
  Catalogue,
  CatalogueOperation,
  CatalogueParameter,
  ParameterKind,
  ResponseForm,
} from "../src/cli/catalogue/catalogue.ts";
import { handWritten, placements } from "../src/cli/derived/placement.ts";
import { isRecord } from "../src/kit/safe-json.ts";
import type { JsonSchema } from "../src/schema/field.ts";
import { createApiFixture } from "../test/api-fixture.ts";

const file = new URL("../src/cli/catalogue/catalogue.json", import.meta.url);

/** Returns the API description that the command line uses without loading the API. */
export async function catalogueOf(): Promise<Catalogue> {
  await using fixture = await createApiFixture();
  const resources = createResources(fixture.deps).map(
    ({ name, summary, ids, operations }) =>
      [
        name,
        { summary, ids, operations: mapped(operations, (each) => operationOf(each, name)) },
      ] as const,
  );
  const types = checkTypes.map(({ type, summary, schema, assigned }) => {
    const parameters = mapped(schema.shape, (parameter, name) => ({
      about: parameter.description ?? "",
      assigned: assigned.includes(name),
    }));
    return [type, { summary: summary.en, parameters }] as const;
  });
  return { resources: Object.fromEntries(resources), checkTypes: Object.fromEntries(types) };
}

export function textOf(catalogue: Catalogue): string {
  return `${JSON.stringify(catalogue, undefined, 2)}\n`;
}

/** The commands of each resource, for the documentation. */
export async function commandsPart(): Promise<string> {
  const { resources } = await catalogueOf();
  const placed = placements(resources).map(({ group, verb }) => [group, verb] as const);
  const own = Object.values(handWritten).map((words) => words.split(" "));
  const all = [...placed, ...own].flatMap(([group = "", verb]) =>
    verb === undefined ? [] : [{ group, verb }],
  );
  const rows = [...Map.groupBy(all, ({ group }) => group)].map(([group, commands]) => {
    const verbs = commands.map(({ verb }) => `\`${verb}\``).join(", ");
    return `| \`${group}\` | ${verbs} |`;
  });
  return ["| Group | Commands |", "| --- | --- |", ...rows].join("\n");
}

function operationOf(
  { summary, effect, input, response, extraParameters }: Operation,
  resource: string,
): CatalogueOperation {
  return {
    summary,
    effect,
    response: formOf(response, resource),
    takesParam: extraParameters !== undefined,
    parameters: mapped(input.shape, parameterOf),
  };
}

function parameterOf(parameter: z.core.$ZodType): CatalogueParameter {
  const { description = "", ...forms } = jsonSchemaOf(parameter);
  const kind = kindOf(forms);
  const values = kind === "text" ? choicesIn(forms) : kind === "list" ? choicesIn(forms.items) : [];
  return {
    about: description,
    kind,
    required: isRequired(parameter),
    choices: values.join(" "),
  };
}

function kindOf({ type, enum: values }: JsonSchema): ParameterKind {
  if (values?.some((each) => each === true)) return "flag";
  return [type].flat().includes("array") ? "list" : "text";
}

function choicesIn(forms: unknown): readonly unknown[] {
  return isRecord(forms) && Array.isArray(forms.enum) ? forms.enum : [];
}

function formOf(response: z.ZodType, resource: string): ResponseForm {
  if (response instanceof z.ZodArray) return "list";
  if (response instanceof z.ZodRecord) return "byId";
  if (!(response instanceof z.ZodUnion)) return "one";
  if (response.options.some((option) => option instanceof z.ZodRecord)) return "oneOrById";
  return response.options.some(
    (option) => option instanceof z.ZodObject && option.shape[resource] instanceof z.ZodArray,
  )
    ? "oneOrPage"
    : "one";
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  convert: (value: Value, name: string) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, convert(value, name)]),
  );
}

export async function writeCatalogue(): Promise<void> {
  writeFileSync(file, textOf(await catalogueOf()));
}
