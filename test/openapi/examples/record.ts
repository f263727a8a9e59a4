import { compatibilityOf } from "../../../src/api/http/compatibility.ts";
import type { Example } from "../../../src/api/openapi/examples.ts";
import { openApiOf } from "../../../src/api/openapi/openapi.ts";
import type { OpenApi } from "../../../src/api/openapi/document.ts";
import { createResources } from "../../../src/api/registry.ts";
import type { RawRequest } from "../../../src/api/http/parse-request.ts";
import { isRecord } from "../../../src/kit/safe-json.ts";
import { createApiFixture } from "../../api-fixture.ts";
import { start, temporaryFolder } from "../../e2e/process.ts";
import { httpPeer } from "../../peers/http.ts";
import { operationOf } from "../openapi-validator.ts";
import { session } from "./session.ts";

export interface Recording {
  readonly operations: Record<string, Example>;
  readonly errors: Record<string, unknown>;
}

const ROOT = "/api/1";
const JSON_TYPE = "application/json";
/** Larger answers say no more, and the document is read by people. */
const MAX_ANSWER_LENGTH = 4000;

/** Holds the session with the real program, and keeps the first request of each operation and the first refusal of each status. */
export async function recordExamples(): Promise<Recording> {
  await using folder = await temporaryFolder();
  await using shop = await httpPeer((_, response) => response.end("Welcome"));
  await using site = await start(folder.path);
  const document = await currentDocument();
  const recording: Recording = { operations: {}, errors: {} };
  const known = new Map([["shop", shop.url]]);
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known.get(name) ?? whole);
  /** As if they were where everybody finds them; what looks like a key that somebody uses alarms those who look for such. */
  const published = (text: string): string =>
    text
      .replaceAll(shop.url, "https://shop.example.com")
      .replaceAll(/(?<="digestkey":")[\w-]+/g, "EXAMPLE")
      .replaceAll(/whsec_[\w+/=]+/g, "whsec_EXAMPLE")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://watchpost.example.com");

  for (const { call, body, keep = {} } of session) {
    const [method = "", path = ""] = fill(call).split(" ");
    const url = path.startsWith("/v1") ? path : `${ROOT}${path}`;
    const sent = body === undefined ? undefined : fill(JSON.stringify(body));
    const response = await fetch(`${site.base}${url}`, {
      method,
      headers: { authorization: `Bearer ${site.token}`, "content-type": JSON_TYPE },
      ...(sent !== undefined && { body: sent }),
    });
    const text = published(await response.text());
    const isJson = response.headers.get("content-type") === JSON_TYPE;
    const answer: unknown = isJson ? JSON.parse(text) : text;
    for (const [name, way] of Object.entries(keep)) known.set(name, String(valueAt(answer, way)));
    if (response.status !== 200) {
      recording.errors[response.status] ??= answer;
      continue;
    }
    const request = { method, url, contentType: JSON_TYPE, body: sent };
    const operation = documented(document, request);
    if (operation === undefined) throw new Error(`${call} is not documented`);
    const isShown = text.length <= MAX_ANSWER_LENGTH;
    if (isShown)
      recording.operations[operation.operationId] ??= {
        ...parametersOf(url, operation.path),
        ...(sent !== undefined && { body: JSON.parse(published(sent)) }),
        answer,
      };
  }
  return recording;
}

/** The operation at the very path, or else the one that the service finds. */
function documented(
  document: OpenApi,
  request: RawRequest,
): { readonly path: string; readonly operationId: string } | undefined {
  const path = new URL(request.url, "http://localhost").pathname.replace(ROOT, "");
  const verb = request.method.toLowerCase();
  const found =
    document.paths[path]?.[verb] === undefined ? operationOf(document, request) : { path, verb };
  const operation = found && document.paths[found.path]?.[found.verb];
  return found && operation && { path: found.path, operationId: operation.operationId };
}

export async function currentDocument(): Promise<OpenApi> {
  await using fixture = await createApiFixture();
  const compatibility = compatibilityOf("standard");
  return openApiOf(createResources(fixture.deps), { root: ROOT, compatibility });
}

/** `*` is the first member, and `#` the name of it. */
function valueAt(answer: unknown, way: string): unknown {
  return way.split(".").reduce<unknown>((value, name) => {
    if (!isRecord(value)) return undefined;
    const [first = ""] = Object.keys(value);
    if (name === "#") return first;
    return value[name === "*" ? first : name];
  }, answer);
}

function parametersOf(url: string, template: string): Pick<Example, "parameters"> {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const segments = pathname.replace(ROOT, "").split("/");
  const inPath = template.split("/").flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, segments[index]]];
  });
  // Responses to heartbeats are text.
  const read = url.startsWith(ROOT) ? jsonOr : String;
  const inQuery = [...searchParams].map(([name, value]) => [name, read(value)]);
  const parameters = Object.fromEntries([...inPath, ...inQuery]);
  return Object.keys(parameters).length === 0 ? {} : { parameters };
}

/** A number or a switch as such. */
function jsonOr(text: string): unknown {
  return /^(?:\d{1,6}|true|false|\{.*\})$/.test(text) ? JSON.parse(text) : text;
}
