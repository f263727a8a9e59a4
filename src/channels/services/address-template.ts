import type { Service, ServiceField } from "./service.ts";

interface Parameter {
  readonly name: string;
  readonly field: ServiceField;
}

/** A form of the addresses of a service. */
export interface AddressTemplate {
  /** All before the query. */
  readonly base: string;
  readonly baseFields: readonly ServiceField[];
  readonly parameters: readonly Parameter[];
  /** Whether one value is the whole address, its query included. */
  readonly isWhole: boolean;
  readonly fields: readonly ServiceField[];
}

/** An address that was taken apart. Texts are as they are in the address, so that what does not change stays as it was written. */
export interface AddressParts {
  readonly template: AddressTemplate;
  readonly base: string;
  /** The parameters of the query, further ones included, each as it is written. */
  readonly pairs: readonly string[];
  readonly fragment: string;
  readonly values: Values;
}

export type Values = Readonly<Record<string, string>>;

export const placeholders = /\{(\w+)\}/g;

export function templatesOf({ addresses, fields }: Service): readonly AddressTemplate[] {
  const fieldNamed = (name: string): ServiceField => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`no such field: ${name}`);
    return field;
  };
  return addresses.map((address) => {
    const [base = "", query] = address.split("?");
    const baseFields = [...base.matchAll(placeholders)].map(([, name = ""]) => fieldNamed(name));
    const parameters = (query?.split("&") ?? []).map((pair) => {
      const [, name = "", field = ""] = /^(\w+)=\{(\w+)\}$/.exec(pair) ?? [];
      return { name, field: fieldNamed(field) };
    });
    return {
      base,
      baseFields,
      parameters,
      isWhole: query === undefined && /^\{\w+\}$/.test(base),
      fields: [...baseFields, ...parameters.map(({ field }) => field)],
    };
  });
}

/** Parses an address; undefined if it matches none of the forms. */
export function partsOf(service: Service, address: string): AddressParts | undefined {
  for (const template of templatesOf(service)) {
    const parts = partsBy(template, address);
    if (parts !== undefined) return parts;
  }
  return undefined;
}

function partsBy(template: AddressTemplate, address: string): AddressParts | undefined {
  const split = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address);
  if (split === null) return undefined;
  const [, path = "", query = "", hash = ""] = split;
  const [base, fragment] = template.isWhole ? [address, ""] : [path, hash];
  const pairs = query === "" || template.isWhole ? [] : query.split("&");
  const found = patternOf(template).exec(base);
  if (found === null) return undefined;
  const values: Record<string, string> = {};
  for (const [index, field] of template.baseFields.entries()) {
    const value = valueIn(field, found[index + 1] ?? "");
    if (value === undefined) return undefined;
    values[field.name] = value;
  }
  for (const { name, field } of template.parameters) {
    const pair = pairs.find((each) => nameOf(each) === name);
    const value =
      pair === undefined ? undefined : valueIn(field, pair.slice(pair.indexOf("=") + 1));
    if (value !== undefined && value !== "") values[field.name] = value;
    else if (pair !== undefined || field.optional !== true) return undefined;
  }
  return { template, base, pairs, fragment, values };
}

function patternOf({ base, baseFields, isWhole }: AddressTemplate): RegExp {
  const literals = base.split(/\{\w+\}/).map((text) => RegExp.escape(text));
  const rest = baseFields.map(
    (field, index) => `(${partPattern(field, isWhole)})${literals[index + 1] ?? ""}`,
  );
  return new RegExp(`^${literals[0] ?? ""}${rest.join("")}$`, "s");
}

function partPattern({ kind, choices = {} }: ServiceField, isWhole: boolean): string {
  if (kind === "url") return isWhole ? ".+" : String.raw`https?:\/\/.+`;
  if (kind !== "choice") return "[^/]+";
  return Object.entries(choices)
    .map(([value, { part = value }]) => RegExp.escape(part))
    .join("|");
}

export function nameOf(pair: string): string {
  return decoded(pair.split("=", 1)[0] ?? "") ?? "";
}

/** Parses a value from its text in an address; undefined if the field does not accept it. */
function valueIn(field: ServiceField, raw: string): string | undefined {
  const { kind, secret, choices = {}, encoding } = field;
  if (kind === "url") return raw;
  // Keys, numbers and mailboxes are often written with a plus that is not encoded.
  const hasSpaces = kind !== "numbers" && secret !== true;
  const text = decoded(hasSpaces ? raw.replaceAll("+", " ") : raw);
  if (text === undefined || encoding !== undefined) return text && encoding?.decode(text);
  if (kind !== "choice") return text;
  return Object.keys(choices).find((value) => (choices[value]?.part ?? value) === text);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a percent sign that encodes nothing
  }
}

/** The text of a value in an address. */
export function textIn({ kind, secret, choices, encoding }: ServiceField, value: string): string {
  if (kind === "url") return value;
  if (kind === "choice") return choices?.[value]?.part ?? value;
  const text = encodeURIComponent(encoding?.encode(value) ?? value);
  // Variables in braces are filled in when an alert is sent.
  const readable = secret === true ? /%(3A|40|2C)/g : /%(3A|40|2C|7B|7D)/g;
  return text.replaceAll(readable, decodeURIComponent);
}
