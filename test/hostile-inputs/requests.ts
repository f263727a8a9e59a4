import { createResources } from "../../src/api/registry.ts";
import { checkTypes } from "../../src/checks/registry.ts";
import type { ApiFixture } from "../api-fixture.ts";
import type { Random } from "../chaos/random.ts";
import { createAccountFixture, idOf, kindsOf } from "../stores/account-fixture.ts";
import { schemaOf } from "./every-parameter.ts";
import { hostileValue } from "./values.ts";

type Values = Readonly<Record<string, unknown>>;

/** One parameter of one operation, and a request of it that is carried out but for that parameter. */
export interface Target {
  readonly path: string;
  readonly name: string;
  readonly maxLength: number;
  readonly resource: string;
  readonly values: Values;
}

export async function everyTarget(cast: ApiFixture): Promise<readonly Target[]> {
  const records = await createAccountFixture(cast, cast.alice);
  const ofOperations = createResources(cast.deps).flatMap(({ name: resource, operations }) => {
    const [kind] = kindsOf(resource);
    const id = kind === undefined || kind === "account" ? {} : { id: idOf(records, kind) };
    return Object.entries(operations).flatMap(([action, { input, example }]) =>
      Object.entries(input.shape).map(([name, parameter]) => ({
        path: `${action} ${resource}: ${name}`,
        name,
        maxLength: schemaOf(parameter).maxLength ?? 1000,
        resource,
        values: { ...id, ...example, action },
      })),
    );
  });
  const ofTypes = checkTypes.flatMap(({ type, schema, example }) =>
    Object.entries(schema.shape).map(([name, parameter]) => ({
      path: `${type}: ${name}`,
      name,
      maxLength: schemaOf(parameter).maxLength ?? 1000,
      resource: "checks",
      values: { ...example, type, action: "POST" },
    })),
  );
  return [...ofOperations, ...ofTypes];
}

export interface PlacedRequest {
  readonly query: string;
  readonly contentType: string;
  readonly body: string;
}

/** The longest query that a request line has room for. */
const MAX_QUERY_LENGTH = 60_000;
const FORM = "application/x-www-form-urlencoded";

/** A request with a hostile value, in one of the places and notations that parameters may have. */
export function hostileRequest(random: Random, target: Target): PlacedRequest {
  const value = hostileValue(random, target.maxLength);
  // The last, where a query is cut off.
  const others = Object.entries(target.values).filter(([name]) => name !== target.name);
  const values = Object.fromEntries([...others, [target.name, value]]);
  const form = Object.entries(values)
    .flatMap(([name, value]) => pairsOf(name, value, random.chance(0.5)))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join("&");
  switch (random.pick(["json", "form", "query"])) {
    case "json":
      return { query: "", contentType: "application/json", body: JSON.stringify(values) };
    case "form":
      return { query: "", contentType: FORM, body: form };
    default:
      return { query: form.slice(0, MAX_QUERY_LENGTH), contentType: FORM, body: "" };
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function pairsOf(
  name: string,
  value: unknown,
  inBrackets: boolean,
): readonly (readonly [name: string, value: string])[] {
  if (typeof value === "string") return [[name, value]];
  if (!inBrackets || typeof value !== "object" || value === null)
    return [[name, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    pairsOf(`${name}[${key}]`, member, inBrackets),
  );
}
