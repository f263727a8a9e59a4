import type { FastifyInstance, RouteHandlerMethod } from "fastify";

import { NotFound } from "../../kit/errors.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { MethodNotAllowed } from "../http/errors.ts";
import { parseRequest } from "../http/parse-request.ts";
import { apiRoot, pathOf } from "../http/request-path.ts";
import type { RequestedOperations } from "../http/requested-operation.ts";
import { sendJson } from "../http/responses/send-body.ts";
import { SIGN_IN, signInOperations } from "./operations.ts";
import type { SignInDeps, VisitorOperation } from "./visitor.ts";

interface Deps extends SignInDeps {
  readonly admission: Pick<Admission, "clientOf">;
}

const methods: ReadonlySet<string> = new Set(["GET", "POST"]);

/** Serves the operations about signing in. What they take comes in the body alone: queries are kept by browsers and proxies. */
export function serveSignIn(
  api: FastifyInstance,
  deps: Deps,
  requested: Pick<RequestedOperations, "add">,
): void {
  const handler: RouteHandlerMethod = async (request, reply) => {
    const { method, headers, raw } = request;
    const { path, values } = parseRequest(
      {
        method,
        url: pathOf(request),
        contentType: headers["content-type"],
        body: typeof request.body === "string" ? request.body : undefined,
      },
      apiRoot,
    );
    const { action, operation } = routeOf(method, path.slice(1));
    requested.add(request, { action });
    const client = deps.admission.clientOf(raw);
    const { body, cookies = [] } = await operation.answer(deps, values, { headers, client });
    if (cookies.length > 0) reply.header("set-cookie", cookies);
    return sendJson(body, reply);
  };
  for (const url of [`/${SIGN_IN}`, `/${SIGN_IN}/*`])
    api.route({
      method: api.supportedMethods.filter((method) => method !== "OPTIONS"),
      url,
      // Clients of the original service do not sign in. Known before the body is read, which may be refused.
      onRequest(request, _reply, done) {
        requested.add(request, { resource: SIGN_IN, compatibility: "standard" });
        done();
      },
      handler,
    });
}

function routeOf(
  sent: string,
  [name, ...more]: readonly string[],
): { readonly action: string; readonly operation: VisitorOperation } {
  const method = sent === "HEAD" ? "GET" : sent;
  const action = name?.toUpperCase() ?? method;
  const isMethod = methods.has(action);
  if (
    more.length > 0 ||
    (name !== undefined && (isMethod || !Object.hasOwn(signInOperations, action)))
  )
    throw new NotFound(`no such path below ${JSON.stringify(SIGN_IN)}`);
  const operation = signInOperations[action];
  const allowed = name === undefined ? [...methods] : ["POST"];
  if (operation === undefined || !allowed.includes(method))
    throw new MethodNotAllowed(`method ${method} is not supported on ${SIGN_IN}`, allowed);
  return { action, operation };
}
