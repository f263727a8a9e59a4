import { z } from "zod";

import { createResources } from "../../src/api/registry.ts";
import { checkTypes } from "../../src/checks/registry.ts";
import type { ApiFixture } from "../api-fixture.ts";

export interface NamedParameter {
  readonly path: string;
  readonly parameter: z.core.$ZodType;
}

/** The parameters of all operations, and those of all check types. */
export function everyParameter({ deps }: Pick<ApiFixture, "deps">): readonly NamedParameter[] {
  const ofOperations = createResources(deps).flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([action, { input }]) =>
      named(`${action} ${name}`, input.shape),
    ),
  );
  const ofTypes = checkTypes.flatMap(({ type, schema }) => named(type, schema.shape));
  return [...ofOperations, ...ofTypes];
}

function named(of: string, shape: z.core.$ZodShape): readonly NamedParameter[] {
  return Object.entries(shape).map(([name, parameter]) => ({ path: `${of}: ${name}`, parameter }));
}

export function schemaOf(parameter: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(parameter, { io: "input", unrepresentable: "any" });
}
