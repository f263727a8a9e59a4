import * as fc from "fast-check";

/** JSON Schema, as far as the document uses it for what is sent. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaObject[];
  readonly items?: SchemaObject;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly additionalProperties?: SchemaObject;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** Where values come from that a schema does not distinguish from others. */
export interface Source {
  /** Parameters by name. */
  readonly named: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Texts restricted only in length. */
  readonly texts: fc.Arbitrary<string>;
  /** Keys of objects that may have any. */
  readonly keys: fc.Arbitrary<string>;
  /** A word that may stand in a host name. */
  readonly word: string;
}

/** Generates values allowed by a schema. Quoted text in descriptions serves as an example. */
export function valuesMatching(form: SchemaObject, source: Source): fc.Arbitrary<unknown> {
  if (form.const !== undefined) return fc.constant(form.const);
  if (form.enum !== undefined) return fc.constantFrom(...form.enum);
  if (form.anyOf !== undefined)
    return fc.oneof(...form.anyOf.map((each) => valuesMatching(each, source)));
  const quoted = [...(form.description ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "");
  const own =
    quoted.length === 0
      ? source
      : {
          ...source,
          texts: fc.oneof(fc.constantFrom(...quoted), source.texts),
          keys: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...quoted) }, source.keys),
        };
  return fc.oneof(...[form.type ?? "string"].flat().map((type) => ofType(type, form, own)));
}

function ofType(type: string, form: SchemaObject, source: Source): fc.Arbitrary<unknown> {
  switch (type) {
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
    case "number":
      return numbers(form);
    case "array":
      return fc.array(
        form.items === undefined ? source.texts : valuesMatching(form.items, source),
        {
          maxLength: 3,
        },
      );
    case "object":
      return objects(form, source);
    default:
      return texts(form, source);
  }
}

function numbers({ minimum = -100, maximum = 1000 }: SchemaObject): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), maximum) }),
    fc.constantFrom(minimum, maximum),
  );
}

function texts(form: SchemaObject, { texts, word }: Source): fc.Arbitrary<string> {
  const { minimum, maximum, pattern = "", maxLength = 1000 } = form;
  if (minimum !== undefined || maximum !== undefined) return numbers(form).map(String);
  const [, schemes] = /^\^\(\?:([a-z|]+)\):\/\/$/.exec(pattern) ?? [];
  if (schemes !== undefined)
    return fc.constantFrom(...schemes.split("|").map((scheme) => `${scheme}://${word}.example/`));
  return pattern === ""
    ? texts.map((text) => text.slice(0, maxLength))
    : fc.stringMatching(new RegExp(pattern));
}

function objects(form: SchemaObject, source: Source): fc.Arbitrary<Values> {
  if (form.properties !== undefined) return parametersOf(form, { ...source, named: {} });
  const members = form.additionalProperties ?? {};
  // An object's description applies to its members, unless they have their own.
  const member = { description: form.description ?? "", ...members };
  return fc.dictionary(source.keys, valuesMatching(member, source), { maxKeys: 3 });
}

/** All that an object must have, and a few of its other properties, for seldom do they all go together. */
export function parametersOf(
  { properties = {}, required = [] }: Pick<SchemaObject, "properties" | "required">,
  source: Source,
): fc.Arbitrary<Values> {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  return fc
    .subarray(others, { maxLength: Math.min(3, others.length) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          [...required, ...chosen].map((name) => [
            name,
            source.named[name] ?? valuesMatching(properties[name] ?? {}, source),
          ]),
        ),
      ),
    );
}

const scalars = [null, true, false, 0, -1, 0.5, 1e308, 2 ** 53 + 2, -(2 ** 63)];
const numberLike = ["NaN", "Infinity", "1e999", "0x10", "1e3", "-0", "００", "9".repeat(400)];
const words = ["", " ", "null", "undefined", "true ", "None", "all", "*", "%", "_", "a b"];
const jsonLike = ["{", "[", '{"a":', '["', '"', "{}", "[]", "[null]", '{"__proto__":{"a":1}}'];
const oddText = [
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00",
  "\u202eabc\u2066",
  "e\u0301".repeat(50),
  "\u200b\ufeff",
  "\r\nX-Injected: 1",
  "a\nb",
  "\u2028",
  "\u007f",
  "\u{1f9d1}\u200d\u{1f680}",
];
const attacks = [
  "../../etc/passwd",
  "..%2f..%2f",
  "' OR 1=1 --",
  '"; DROP TABLE checks; --',
  "{{7*7}}",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "http://169.254.169.254/",
  "http://[::1]:1/",
  "http://a@b:c@d/",
];
const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length"];
const structures = [[], {}, [[]], [null], [{}], { 0: "a", 2: "b" }, { length: 1 }, { "": "" }];
const pollution: readonly unknown[] = [
  JSON.parse('{"__proto__":{"admin":true}}'),
  { constructor: { prototype: { admin: true } }, toString: 1, hasOwnProperty: null },
];

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that no well-meaning client sends. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  ...[scalars, numberLike, words, jsonLike, oddText, attacks, keys, structures, pollution].map(
    (group) => fc.constantFrom<unknown[]>(...group),
  ),
  fc.constantFrom(19, 30, 500).map(nested),
  fc.constantFrom(256, 1001, 8001, 50_001, 70_000).map((length) => "x".repeat(length)),
  fc.constantFrom(101, 1001, 10_001).map((length) => Array.from({ length }, (_, index) => index)),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
  fc.string({ unit: "binary" }),
);
