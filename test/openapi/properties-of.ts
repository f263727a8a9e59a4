import { isRecord } from "../../src/kit/safe-json.ts";

type Components = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, object>>;

/** The properties of a schema, and of all that it is made of or may be. */
export function propertiesOf(schema: unknown, components: Components): Properties {
  const all = objectsIn(schema, components).flatMap(({ properties }) =>
    Object.entries(isRecord(properties) ? properties : {}),
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ([name]) => name)].map(([name, uses]) => {
      const forms = new Map(uses.map(([, form]) => [JSON.stringify(form), form]));
      const [first = {}, ...others] = [...forms.values()].filter(isRecord);
      const { description } = first;
      return [name, others.length === 0 ? first : { description, anyOf: [first, ...others] }];
    }),
  );
}

/** The properties that are required, whichever of its choices a schema is. */
export function requiredOf(schema: unknown, components: Components): readonly string[] {
  const [first = [], ...others] = choicesOf(schema, components).map((objects) =>
    objects.flatMap(({ required }): readonly unknown[] =>
      Array.isArray(required) ? required : [],
    ),
  );
  return first
    .filter((name) => others.every((names) => names.includes(name)))
    .map((name) => String(name));
}

function objectsIn(schema: unknown, components: Components): readonly Components[] {
  return [...new Set(choicesOf(schema, components).flat())];
}

/** Each of its choices, as the parts that it is made of. */
function choicesOf(schema: unknown, components: Components): readonly (readonly Components[])[] {
  if (!isRecord(schema)) return [[]];
  const { $ref, allOf, oneOf } = schema;
  if (typeof $ref === "string")
    return choicesOf(components[$ref.split("/").at(-1) ?? ""], components);
  if (Array.isArray(oneOf)) return oneOf.flatMap((each) => choicesOf(each, components));
  if (Array.isArray(allOf)) return [allOf.flatMap((each) => choicesOf(each, components).flat())];
  return [[schema]];
}
