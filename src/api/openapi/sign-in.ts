import { z } from "zod";

import { SIGN_IN, signInOperations } from "../sign-in/operations.ts";
import type { VisitorOperation } from "../sign-in/visitor.ts";
import { canonicalForm } from "./canonical-form.ts";
import type { OpenApi, OperationObject } from "./document.ts";
import { operationIdOf } from "./endpoints.ts";
import { responsesWith } from "./errors.ts";
import { okResponse, requestBodyOf } from "./paths.ts";
import { jsonSchemaOf } from "./schemas.ts";

const refusals = responsesWith([
  "invalid_input",
  "forbidden",
  "conflict",
  "gone",
  "too_large",
  "too_many",
  "internal_error",
  "unavailable",
]);

/** The operations about signing in, which take no token. */
export const signInPaths: OpenApi["paths"] = pathsOf();

function pathsOf(): OpenApi["paths"] {
  const { GET, POST, ...named } = signInOperations;
  const root = { ...(GET && pathItem("get", GET)), ...(POST && pathItem("post", POST)) };
  const others = Object.entries(named).map(([action, operation]) => {
    const path = `/${SIGN_IN}/${action.toLowerCase()}`;
    return [path, pathItem("post", operation, path)] as const;
  });
  return { [`/${SIGN_IN}`]: root, ...Object.fromEntries(others) };
}

function pathItem(
  verb: string,
  { summary, needsSession, input, response }: VisitorOperation,
  path = `/${SIGN_IN}`,
): Readonly<Record<string, OperationObject>> {
  const properties = Object.fromEntries(
    Object.entries(input.shape).map(([name, field]) => [name, canonicalForm(jsonSchemaOf(field))]),
  );
  const { $schema: _, ...answer } = z.toJSONSchema(response);
  const who = needsSession
    ? "It is for the contact that is signed in in the browser."
    : "It needs no token.";
  const from =
    verb === "get" ? "" : " It takes requests from pages of this installation alone, in the body.";
  return {
    [verb]: {
      operationId: operationIdOf({ verb, path }),
      tags: [SIGN_IN],
      summary,
      description: `${summary}. ${who}${from}`,
      security: needsSession ? [{ session: [] }] : [],
      ...(Object.keys(properties).length === 0
        ? {}
        : { requestBody: requestBodyOf({ type: "object", properties }) }),
      responses: { 200: okResponse([answer]), ...refusals },
    },
  };
}
