import { METHODS } from "node:http";

import * as fc from "fast-check";

import type { Endpoint } from "./endpoints.ts";
import { hostileValue, type Values } from "./values.ts";

/** Names that mean something wherever they are sent, or should not. */
const strays = ["action", "json", "token", "customerId", "id", "__proto__", "constructor", "a[b]"];

/** Returns damages to one of the parameters. */
export function valueMutations({ properties }: Endpoint): fc.Arbitrary<(values: Values) => Values> {
  const values = fc.oneof(
    { weight: 1, arbitrary: fc.constant(() => undefined) },
    { weight: 3, arbitrary: hostileValue.map((value) => () => value) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), hostileValue).map(
        ([at, value]) =>
          (whole: unknown) =>
            replacedAt(whole, at, value),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<((value: unknown) => unknown)[]>(
        (value) => [value],
        (value) => [value, value],
        (value) => ({ 0: value }),
        (value) => ({ a: value }),
        (value) => JSON.stringify([value]),
        (value) => JSON.stringify(value),
        (value) => ` ${JSON.stringify(value)} `,
      ),
    },
  );
  return fc
    .record({ name: fc.constantFrom(...Object.keys(properties), ...strays), change: values })
    .map(({ name, change }) => (values) => {
      const others = Object.entries(values).filter(([key]) => key !== name);
      const changed = change(Object.hasOwn(values, name) ? values[name] : "");
      // From entries, for the name may be __proto__.
      return Object.fromEntries(changed === undefined ? others : [...others, [name, changed]]);
    });
}

/** Puts a value in the place of a member, or of a member of that. */
function replacedAt(whole: unknown, [at, ...deeper]: readonly number[], value: unknown): unknown {
  if (at === undefined || typeof whole !== "object" || whole === null) return value;
  const entries = Object.entries(whole);
  const replaced = entries.map(([key, member], index): [string, unknown] => [
    key,
    index === at % entries.length ? replacedAt(member, deeper, value) : member,
  ]);
  return Array.isArray(whole) ? replaced.map(([, member]) => member) : Object.fromEntries(replaced);
}

/** A verb, and the parameter that may stand in for it: another verb, or one of the named actions. */
export function verbMutations(
  verb: string,
  actions: readonly string[],
): fc.Arbitrary<{ verb: string; values: Values }> {
  const asAction = (words: fc.Arbitrary<unknown>) => words.map((action) => ({ action }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ verb, values: {} }) },
    {
      weight: 2,
      arbitrary: fc.record({
        verb: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
        values: asAction(fc.mixedCase(fc.constant(verb))),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        verb: fc.constant(verb),
        values: asAction(fc.oneof(fc.mixedCase(fc.constantFrom(...actions)), hostileValue)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        // A CONNECT asks for a tunnel, not for an answer.
        verb: fc.constantFrom(...METHODS.filter((method) => method !== "CONNECT")),
        values: fc.constant({}),
      }),
    },
  );
}

/** Damages to a URL. */
export const urlMutations: readonly ((url: string) => string)[] = [
  (url) => url.replace(/(?=\?|$)/, "/"),
  (url) => url.replace(/(?=\?|$)/, "//"),
  (url) => url.replace(/(?=\?|$)/, "/..%2f..%2faccounts"),
  (url) => url.replace(/(?=\?|$)/, "/../../accounts"),
  (url) => url.replace(/(?=\?|$)/, "%00"),
  (url) => url.replace(/(?=\?|$)/, "%"),
  (url) => url.replace(/(?=\?|$)/, "%zz"),
  (url) => url.replace(/(?=\?|$)/, "%c0%ae"),
  (url) => url.replace(/(?=\?|$)/, ";a=b"),
  (url) => url.replace(/(?=\?|$)/, "/more"),
  (url) => url.replace(/(?=\?|$)/, "?"),
  (url) => url.replace("/api/1/", "/api/1//"),
  (url) => url.replace("/api/1/", "/api/1/./"),
  (url) => url.replace("/api/1/", "/api/1/%2e%2e/"),
  (url) => url.replace("/api/1/", "/api//1/"),
  (url) => url.replace("/api/1/", "/api/2/"),
  (url) => url.replace("/api/1/", "/API/1/"),
  (url) => url.replace(/^\/api\/1\/\w+/, (path) => path.toUpperCase()),
  (url) => url.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (url) => `${url}&a[b]=1&a=2&__proto__[x]=1&constructor[prototype][y]=1`,
  (url) => `${url}&a[]=1&a[5]=2&a[b=3&[c]=4&=5&&a[b]c=6`,
  (url) => `${url}&json={"a":`,
  (url) => `${url}&json=[]&json[a]=b`,
  (url) => `${url}&action[a]=b`,
  (url) => `${url}&token=a&token[b]=c`,
  (url) => `${url}&id=%FF%FE&name=%`,
  (url) => `${url}&customerid[]=a&customerId=b`,
  (url) => `${url}#here`,
];

/** Damages to a body; one character per byte. */
export const bodyMutations: readonly ((body: string) => string)[] = [
  () => "",
  () => " \r\n",
  () => "null",
  () => "[]",
  () => '"text"',
  () => "{",
  () => "a&b&=&&=c",
  () => '{"a":1,"a":{"b":[1e999]}}',
  () => `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  () => `[${"[".repeat(50_000)}`,
  () => `{${Array.from({ length: 11_000 }, (_, index) => `"k${index}":1`).join()}}`,
  () => Array.from({ length: 11_000 }, (_, index) => `k${index}=1`).join("&"),
  () => `{"name":"${"x".repeat(1_100_000)}"}`,
  (body) => body.slice(0, body.length / 2),
  (body) => `${body}\xff`,
  (body) => `\xef\xbb\xbf${body}`,
  (body) => `${body}${body}`,
  (body) => body.replaceAll('"', "'"),
  (body) => body.replace("}", ",}"),
  (body) => body.replaceAll(":", ":\t\n\v"),
  (body) => Buffer.from(body, "latin1").toString("utf16le"),
];

export const contentTypes: readonly string[] = [
  "",
  ";;;",
  "*/*",
  "a/b;c",
  "json",
  "text/plain",
  "APPLICATION/JSON",
  "application/xml",
  "application/json",
  "application/json; charset=latin1",
  "application/json; charset=none",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];
