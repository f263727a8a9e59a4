import * as fc from "fast-check";

import { kindsOf, recordKinds } from "../stores/account-fixture.ts";
import { refsToOthers, refTo, type Caller } from "./callers.ts";
import {
  bodyMutations,
  contentTypes,
  urlMutations,
  valueMutations,
  verbMutations,
} from "./mutations.ts";
import { actionsOf, endpointsOf, type OpenApiDocument, type Endpoint } from "./endpoints.ts";
import { percentEncode, placements, type PlacedParameters } from "./placements.ts";
import { parametersOf, type Source, type Values } from "./values.ts";
import { corruptions, type Corruption, type Request } from "./raw-http.ts";

interface Meant {
  readonly values: Values;
  readonly place: (values: Values) => PlacedParameters;
  readonly token: string | undefined;
  readonly isBasic: boolean;
}

/** The kinds of records that the ids of a tag belong to, which the document says in words only; locations and regions are no records. */
function kindsOfTag(tag: string): readonly string[] {
  if (tag === "info") return [];
  return tag === "heartbeats" ? ["push"] : kindsOf(tag);
}

/** Parameters that are needed more often than not. */
const usual = ["id", "target"];

/** Requests to every operation of the document: half as they should be, the others changed in every way there is. */
export function requestsFor(document: OpenApiDocument, caller: Caller): fc.Arbitrary<Request> {
  const endpoints = endpointsOf(document);
  const actions = actionsOf(document);
  return fc.oneof(
    fc.oneof(...endpoints.map((endpoint) => validRequests(endpoint, caller))),
    fc.oneof(...endpoints.map((endpoint) => changedRequests(endpoint, caller, actions))),
  );
}

/** Requests as the document describes them. */
export function validRequests(endpoint: Endpoint, caller: Caller): fc.Arbitrary<Request> {
  return meantBy(caller, endpoint).map((meant) => requestOf(endpoint, meant));
}

function changedRequests(
  endpoint: Endpoint,
  caller: Caller,
  actions: readonly string[],
): fc.Arbitrary<Request> {
  return fc
    .record({
      meant: meantBy(caller, endpoint),
      way: verbMutations(endpoint.verb, actions),
      values: fc.array(valueMutations(endpoint), { maxLength: 2 }),
      url: oneIn(3, fc.constantFrom(...urlMutations), (url) => url),
      body: oneIn(4, fc.constantFrom(...bodyMutations), (body) => body),
      contentType: oneIn(5, fc.constantFrom<(string | undefined)[]>(...contentTypes), undefined),
      origin: oneIn(5, fc.constantFrom("http://watchpost.example", "HTTPS://x"), ""),
      isChunked: fc.boolean(),
      damage: oneIn(10, fc.constantFrom<(Corruption | undefined)[]>(...corruptions), undefined),
    })
    .map(({ meant, values, way, url, body, contentType, origin, isChunked, damage }) => {
      const changed = values.reduce((made, change) => change(made), {
        ...meant.values,
        ...way.values,
      });
      const request = requestOf({ ...endpoint, verb: way.verb }, { ...meant, values: changed });
      return {
        ...request,
        origin,
        damage,
        // Damaging it twice may repair it.
        isChunked: isChunked && damage === undefined,
        url: url(request.url),
        body: body(request.body),
        contentType: contentType ?? request.contentType,
      };
    });
}

function oneIn<Value>(
  count: number,
  seldom: fc.Arbitrary<Value>,
  usually: Value,
): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: count - 1, arbitrary: fc.constant(usually) },
    { weight: 1, arbitrary: seldom },
  );
}

function meantBy(caller: Caller, endpoint: Endpoint): fc.Arbitrary<Meant> {
  return fc.record({
    values: valuesFor(endpoint, caller),
    place: placements,
    token: tokensOf(caller),
    isBasic: fc.boolean(),
  });
}

function requestOf(
  { operationId, path, verb }: Endpoint,
  { values, place, token, isBasic }: Meant,
): Request {
  const proof = token === undefined || isBasic ? {} : { token };
  const isInPath = (name: string): boolean => path.includes(`{${name}}`);
  const others = Object.entries(values).filter(([name]) => !isInPath(name));
  const { query, contentType, body } = place({ ...Object.fromEntries(others), ...proof });
  const segmentOf = (name: string): string => {
    const value = values[name] ?? "";
    return percentEncode(typeof value === "string" ? value : JSON.stringify(value));
  };
  return {
    operationId,
    verb,
    origin: "",
    url: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name))}?${query}`,
    user: isBasic ? token : undefined,
    contentType,
    body: Buffer.from(body, "utf8").toString("latin1"),
    isChunked: false,
    corruption: undefined,
  };
}

function valuesFor(endpoint: Endpoint, caller: Caller): fc.Arbitrary<Values> {
  const { tag, properties, required } = endpoint;
  const source = sourceFor(caller, kindsOfTag(tag));
  const isTaken = (name: string): boolean => Object.hasOwn(properties, name);
  const account = caller.namesAccount ? ["customerid"] : [];
  return oneIn(4, fc.constant<readonly string[]>([]), usual)
    .map((names) => new Set([...required, ...[...account, ...names].filter(isTaken)]))
    .chain((needed) => parametersOf({ properties, required: [...needed] }, source));
}

function sourceFor(caller: Caller, kinds: readonly string[]): Source {
  const { subject, word } = caller;
  const others = (each: string): readonly string[] => refsToOthers(caller, each);
  const own = recordKinds.map((each) => refTo(subject, each));
  const refs = fc.constantFrom(...own, ...recordKinds.flatMap(others));
  return {
    word,
    texts: fc.oneof(
      fc.constantFrom(word, `${word}.example`, `${word}@example.com`, `http://${word}.example/`),
      fc.constantFrom("8:30", "-7", "2026-01-05", "eur", "fra", "All", "Days", "5", "1.5", "true"),
      refs,
      fc.string({ unit: "grapheme" }).map((text) => text + word),
    ),
    keys: fc.oneof(refs, fc.constantFrom(word, "0", "1"), fc.string()),
    named: {
      id: fc.oneof(
        {
          weight: 4,
          arbitrary:
            kinds.length === 0
              ? fc.constantFrom("fra", "eur", "ny")
              : fc.constantFrom(...kinds.map((kind) => refTo(subject, kind))),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom("missing", ...kinds.flatMap(others)),
        },
        { weight: 1, arbitrary: refs },
        { weight: 1, arbitrary: fc.array(refs).map(String) },
      ),
      customerid: fc.oneof(
        { weight: 6, arbitrary: fc.constant(refTo(subject, "account")) },
        { weight: 1, arbitrary: fc.constantFrom("missing", ...others("account")) },
      ),
      email: fc.constant(`${word}@example.com`),
      target: fc.constantFrom(`http://${word}.example/`, `${word}.example`),
      // Most other years are rejected.
      known: fc.constant([{ start: Date.UTC(2025, 0, 1), end: Date.UTC(2025, 0, 2) }]),
      checktoken: fc.constant(caller.token === undefined ? word : refTo(subject, "checktoken")),
    },
  };
}

/** Returns the credentials of a caller. */
function tokensOf({ token, knownAccounts }: Caller): fc.Arbitrary<string | undefined> {
  return token === undefined
    ? fc.constantFrom(undefined, "", "x", ...knownAccounts.map((name) => refTo(name, "account")))
    : fc.constant(refTo(token, "token"));
}
