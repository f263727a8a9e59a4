import { METHODS } from "node:http";
import { Readable } from "node:stream";

import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { FastifyInstance } from "fastify";

import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import type { ApiDeps } from "../../src/api/deps.ts";
import { openApiOf } from "../../src/api/openapi/openapi.ts";
import type { OpenApi } from "../../src/api/openapi/document.ts";
import { EVENT_STREAM_TYPE } from "../../src/api/http/responses/event-stream.ts";
import {
  parseRequest,
  type ParsedRequest,
  type RawRequest,
} from "../../src/api/http/parse-request.ts";
import { createResources } from "../../src/api/registry.ts";
import { InvalidInput } from "../../src/kit/errors.ts";

interface Exchange {
  readonly request: RawRequest;
  readonly status: number;
  readonly answer: string;
}

/** Says what of an answer is not in the document; undefined where all is. */
type Objection = (exchange: Exchange) => string | undefined;

const ROOT = "/api/1";
const ACCOUNT_ID = /^\d{12}[A-Z0-9]{4,5}$/;
const NAME = "openapi";
const ERROR = "/components/schemas/Error";
const SCHEMA = "/content/application~1json/schema";
const TEXT_SCHEMA = "/content/text~1plain/schema";

const objections = new Map<CompatibilityMode, Objection>();

/** Holds everything that the server answers to its OpenAPI document. What it gives throws where something was not in it. */
export function assertMatchesOpenApi(app: FastifyInstance, deps: ApiDeps): () => void {
  const found: string[] = [];
  app.addHook("onSend", async ({ method, url, headers, body }, reply, payload) => {
    // Compressed and endless responses have the same content.
    const isOther = reply.getHeader("content-type") === EVENT_STREAM_TYPE;
    if (isOther || reply.hasHeader("content-encoding")) return payload;
    const request = {
      method,
      url,
      contentType: headers["content-type"],
      body: typeof body === "string" ? body : undefined,
    };
    const onBody = (answer: string): void => {
      if (answer === "" || !url.startsWith(ROOT)) return;
      const objection = objectionFor(deps)({ request, status: reply.statusCode, answer });
      if (objection !== undefined) found.push(objection);
    };
    if (payload instanceof Readable) return Readable.from(recorded(payload, onBody));
    if (payload instanceof Buffer) onBody(payload.toString("utf8"));
    return payload;
  });
  return () => {
    const [first] = found.splice(0);
    if (first !== undefined) throw new Error(first);
  };
}

async function* recorded(
  payload: AsyncIterable<string>,
  onBody: (answer: string) => void,
): AsyncIterable<string> {
  let answer = "";
  for await (const piece of payload) {
    answer += piece;
    yield piece;
  }
  onBody(answer);
}

/** One for all servers of a process, for its schemas take longer to compile than a test to run. */
function objectionFor(deps: ApiDeps): Objection {
  const known = objections.get(deps.compatibility);
  if (known !== undefined) return known;
  const compatibility = compatibilityOf(deps.compatibility);
  const made = createOpenApiValidator(
    openApiOf(createResources(deps), { root: ROOT, compatibility }),
  );
  objections.set(deps.compatibility, made);
  return made;
}

/** Each schema is compiled when it is first needed. */
export function createOpenApiValidator(document: OpenApi): Objection {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, NAME, false, false);

  return ({ request, status, answer }) => {
    const at = schemaAt(request, status);
    const validate = at === undefined ? undefined : ajv.getSchema(`${NAME}#${at}`);
    const said: unknown = at?.endsWith(TEXT_SCHEMA) === true ? answer : JSON.parse(answer);
    if (validate?.(said) === true) return undefined;
    const reason =
      validate === undefined ? "this status is not documented" : ajv.errorsText(validate.errors);
    return `${request.method} ${request.url} ${request.body ?? ""}\nanswered ${status} ${answer}\nbut ${at ?? ""}: ${reason}`;
  };

  /** Where the document says what is answered. What is no operation of it can only be refused. */
  function schemaAt(request: RawRequest, status: number): string | undefined {
    const operation = operationOf(document, request);
    if (operation === undefined) return ERROR;
    const response = document.paths[operation.path]?.[operation.verb]?.responses[status];
    if (response === undefined) return undefined;
    if ("$ref" in response) return `${response.$ref.slice(1)}${SCHEMA}`;
    const path = operation.path.replaceAll("/", "~1");
    const isText = "text/plain" in (response.content ?? {});
    return `/paths/${path}/${operation.verb}/responses/${status}${isText ? TEXT_SCHEMA : SCHEMA}`;
  }
}

interface Found {
  readonly path: string;
  readonly verb: string;
}

/** The operation that a request asks for; undefined where the document has none. */
export function operationOf(
  { paths, servers: [server] }: OpenApi,
  request: RawRequest,
): Found | undefined {
  const root = server?.url ?? "";
  const beside = besideResources(paths, request, root);
  if (beside !== undefined) return beside;
  const call = callOf(request, root);
  if (call === undefined) return undefined;
  const isVerb = METHODS.includes(call.action);
  const action = call.action.toLowerCase();
  const [resource = "", ...rest] = call.path;
  // The name of an action is also a path segment.
  const segments = isVerb ? call.path : [resource, action, ...rest];
  const [path] = Object.keys(paths)
    .filter((path) => fits(path, segments) && verbOf(path) !== undefined && !isName(path))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const exact = path && pathFor(path, call.values, segments);
  const verb = exact && verbOf(exact);
  return exact && verb ? { path: exact, verb } : undefined;

  /** Clients choose the names of schedules: one may have this, unless a week is sent along with a GET. */
  function isName(path: string): boolean {
    const isOfRecord = isVerb && (action !== "get" || call?.values.data === undefined);
    return path === "/schedules/preview" && isOfRecord;
  }

  /** One record has a path of its own, whichever way its id is sent; several, or an account in its place, are a list of records. */
  function pathFor(path: string, values: ParsedRequest["values"], sent: readonly string[]): string {
    const plain = path.replace(/\/\{id\}$/, "");
    const byId = `${plain}/{id}`;
    if (paths[byId]?.get === undefined || verbOf(plain) !== "get") return path;
    const isOfAccounts = plain === "/accounts";
    const segment = sent[plain.split("/").length - 1];
    const id = segment ?? values.id ?? (isOfAccounts ? values.customerid : undefined);
    const isOne = typeof id === "string" && !/^\[|,/.test(id) && id.trim() !== "";
    const isAccount = segment !== undefined && !isOfAccounts && ACCOUNT_ID.test(segment);
    return isOne && !isAccount ? byId : plain;
  }

  /** As what the document has the action on a path. A named operation may be sent by either of the two verbs. */
  function verbOf(path: string): string | undefined {
    const isOfAction = !isVerb || ((action === "post" || action === "get") && isNamed(path));
    const candidates = isOfAction ? ["get", "post"] : [action];
    return candidates.find((verb) => {
      const operation = paths[path]?.[verb];
      return operation !== undefined && operation.security === undefined;
    });
  }
}

interface OpenPath extends Found {
  /** Its segments, each a text or what it must match. */
  readonly segments: readonly (string | RegExp)[];
  /** Where the document has another server, two slashes are one. */
  readonly hasOtherServer: boolean;
}

const openPaths = new WeakMap<OpenApi["paths"], readonly OpenPath[]>();

/** Operations without a token are identified by method and path alone. */
function besideResources(
  paths: OpenApi["paths"],
  { method, url }: RawRequest,
  root: string,
): Found | undefined {
  const verb = method.toLowerCase();
  const [address = ""] = url.split("?", 1);
  const sent = segmentsOf(address);
  const squeezed = segmentsOf(address.replaceAll(/\/+/g, "/"));
  let open = openPaths.get(paths);
  if (open === undefined) openPaths.set(paths, (open = openPathsOf(paths, root)));
  return open.find(({ verb: own, segments, hasOtherServer }) => {
    const asked = hasOtherServer ? squeezed : sent;
    return (
      own === verb &&
      segments.length === asked.length &&
      segments.every((part, index) => {
        const segment = asked[index] ?? "";
        return typeof part === "string" ? part === segment : part.test(segment);
      })
    );
  });
}

function segmentsOf(address: string): readonly string[] {
  return address.replace(/\/$/, "").split("/").map(addressOf);
}

function openPathsOf(paths: OpenApi["paths"], root: string): readonly OpenPath[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const { security, servers, parameters = [] } = operation;
      if (security === undefined) return [];
      const own = `${servers === undefined ? root : ""}${path}`.split("/");
      const segments = own.map((part) => {
        const { schema } = parameters.find(({ name }) => part === `{${name}}`) ?? {};
        if (schema === undefined) return part;
        return new RegExp(typeof schema.pattern === "string" ? schema.pattern : ".");
      });
      return [{ path, verb, segments, hasOtherServer: servers !== undefined }];
    }),
  );
}

/** The path of a URL, decoded where that can be. */
export function addressOf(url: string): string {
  const [path = ""] = url.split("?");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function callOf(request: RawRequest, root: string): ParsedRequest | undefined {
  try {
    return parseRequest(request, root);
  } catch (error) {
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}

/** An operation that takes no id has no use for one in the path. */
function fits(path: string, segments: readonly string[]): boolean {
  const own = partsOf(path);
  const isLongEnough =
    own.length === segments.length || (own.length === segments.length - 1 && !takesId(path));
  return (
    isLongEnough &&
    own.every((part, index) => part === "{id}" || part === segments[index]?.toLowerCase())
  );
}

const parts = new Map<string, readonly string[]>();

function partsOf(path: string): readonly string[] {
  const known = parts.get(path);
  if (known !== undefined) return known;
  const made = path.split("/").slice(1);
  parts.set(path, made);
  return made;
}

/** Paths that say more come first. */
function rankOf(path: string): number {
  return (takesId(path) ? 1 : 0) - 2 * path.split("/").length;
}

function isNamed(path: string): boolean {
  const [, operation = "{id}"] = partsOf(path);
  return operation !== "{id}";
}

function takesId(path: string): boolean {
  return path.endsWith("/{id}");
}
