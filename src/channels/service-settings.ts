import { InvalidInput } from "../kit/errors.ts";
import type { Language } from "../schema/words.ts";
import {
  nameOf,
  partsOf,
  placeholders,
  templatesOf,
  textIn,
  type AddressParts,
  type AddressTemplate,
  type Values,
} from "./services/address-template.ts";
import { serviceAt, serviceNames, services } from "./services/registry.ts";
import type { Service, ServiceField } from "./services/service.ts";

export { serviceGroups } from "./services/service.ts";
export { serviceNames } from "./services/registry.ts";

const MAX_VALUE_LENGTH = 2000;
const SHOWN_CHARACTERS = 100;

interface FieldForm extends Pick<ServiceField, "name" | "example"> {
  readonly title: string;
  readonly help: string;
  readonly suggested: string | undefined;
  readonly input: "line" | "password" | "choice";
  readonly required: boolean;
  readonly choices: readonly { readonly value: string; readonly title: string }[] | undefined;
}

/** A service with the fields of its form. */
export interface ServiceForm extends Pick<Service, "name" | "group" | "guide"> {
  readonly fields: readonly FieldForm[];
}

export function serviceFormsIn(language: Language): readonly ServiceForm[] {
  return services.map((service) => ({
    name: service.name,
    group: service.group,
    guide: service.guide,
    fields: service.fields.map((field) => formOf(service, field, language)),
  }));
}

export const serviceForms = serviceFormsIn("en");

function formOf(
  service: Service,
  { name, title, help, example, suggested, kind, secret, choices, ...field }: ServiceField,
  language: Language,
): FieldForm {
  const isEverywhere = templatesOf(service).every(({ fields }) =>
    fields.some((each) => each.name === name),
  );
  return {
    name,
    title: title[language],
    help: help[language],
    example,
    suggested,
    input: kind === "choice" ? "choice" : secret === true ? "password" : "line",
    required: field.optional !== true && isEverywhere,
    choices:
      choices &&
      Object.entries(choices).map(([value, choice]) => ({ value, title: choice.title[language] })),
  };
}

/** The name of a service as it is spelled; case, spaces and punctuation do not matter. */
export function parseServiceName(name: string): string | undefined {
  const wanted = lettersOf(name);
  return serviceNames.find((each) => lettersOf(each) === wanted);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]/g, "");
}

/** Values of an address by name, null for a credential; undefined if the address matches no form of its service. */
export interface ServiceSettings {
  readonly service: string;
  readonly settings: Readonly<Record<string, string | null>> | undefined;
}

/** Returns the service that a contact's address calls; undefined if it is not a webhook, or not of a known service. */
export function serviceOf({
  kind,
  address,
}: {
  readonly kind: string;
  readonly address: string;
}): ServiceSettings | undefined {
  return kind === "webhook" ? settingsIn(address) : undefined;
}

/** Returns the public settings of an address of a service; undefined if it has no service. */
export function settingsIn(address: string): ServiceSettings | undefined {
  const service = serviceAt(address);
  if (service === undefined) return undefined;
  const values = partsOf(service, address)?.values;
  return { service: service.name, settings: values && withoutSecrets(service, values) };
}

function withoutSecrets(
  { fields }: Service,
  values: Values,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    fields.flatMap(({ name, secret }) => {
      const value = values[name];
      return value === undefined ? [] : [[name, secret === true ? null : value] as const];
    }),
  );
}

/**
 * The address with the settings; of a known one, all that the settings do not name stays as it is. An empty text removes a value. Throws InvalidInput with
 * the setting that is wrong.
 */
export function addressWith(name: string, settings: Values, known: string | undefined): string {
  const service = services.find((each) => each.name === name);
  if (service === undefined) throw new InvalidInput(`service: no such service: ${name}`);
  const changes = Object.entries(settings).map(([key, value]) => [key, value.trim()] as const);
  for (const [key, value] of changes) assertValue(service, key, value);
  const parts =
    known === undefined || serviceAt(known) !== service ? undefined : partsOf(service, known);
  const before = parts?.values ?? {};
  const after = Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(
      ([, value]) => value !== "",
    ),
  );
  const template = templateFor(service, after, parts?.template);
  const address = written(template, after, parts);
  if (serviceAt(address) !== service) throw leadsElsewhere(service);
  return address;
}

function assertValue({ name: service, fields }: Service, name: string, value: string): void {
  const field = fields.find((each) => each.name === name);
  if (field === undefined)
    throw new InvalidInput(
      `settings.${name}: ${service} has no such setting, only ${fields.map((each) => each.name).join(", ")}`,
    );
  if (value === "" || isValue(field, value)) return;
  const { kind, secret, choices = {}, example } = field;
  if (kind === "choice")
    throw new InvalidInput(
      `settings.${name}: must be one of ${Object.keys(choices).join(", ")}, not ${shown(value)}`,
    );
  const given = secret === true ? "" : `, not ${shown(value)}`;
  throw new InvalidInput(
    `settings.${name}: must be ${articleOf(field)} such as ${example}${given}`,
  );
}

function isValue({ kind, choices = {}, pattern }: ServiceField, value: string): boolean {
  if (value.length > MAX_VALUE_LENGTH) return false;
  if (kind === "choice") return Object.hasOwn(choices, value);
  if (kind === "url") return /^https?:\/\/[^\s#\\]+$/i.test(value) && URL.canParse(value);
  return pattern?.test(value) ?? !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
}

function articleOf({ kind }: ServiceField): string {
  return kind === "url" ? "a URL" : "text";
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
}

/** The form that the address has already, or the first that the values suit. */
function templateFor(
  service: Service,
  values: Values,
  known: AddressTemplate | undefined,
): AddressTemplate {
  const templates = templatesOf(service);
  const suits = ({ fields }: AddressTemplate): boolean =>
    missingOf(fields, values) === undefined &&
    Object.keys(values).every((name) => fields.some((field) => field.name === name));
  const found = [...(known === undefined ? [] : [known]), ...templates].find(suits);
  if (found !== undefined) return found;
  const missing = templates.map(({ fields }) => missingOf(fields, values));
  if (missing.every((name) => name !== undefined)) {
    const names = [...new Set(missing)];
    throw new InvalidInput(
      `settings.${names[0]}: required${names.length === 1 ? "" : `, or ${names.slice(1).join(", or ")}`}`,
    );
  }
  throw new InvalidInput(`settings: ${Object.keys(values).join(", ")} cannot be used together`);
}

function missingOf(fields: readonly ServiceField[], values: Values): string | undefined {
  return fields.find(({ name, optional }) => optional !== true && values[name] === undefined)?.name;
}

function written(
  template: AddressTemplate,
  values: Values,
  parts: AddressParts | undefined,
): string {
  const isSame = parts?.template.base === template.base;
  const isKept = ({ name }: ServiceField): boolean => parts?.values[name] === values[name];
  const [base = "", ...queries] =
    isSame && template.baseFields.every(isKept)
      ? [parts.base]
      : baseOf(template, values).split(template.isWhole ? "\0" : "?");
  const pairs = [...(parts?.pairs ?? [])];
  const own = new Set(parts?.template.parameters.map(({ name }) => name));
  const current = new Map(template.parameters.map(({ name, field }) => [name, field]));
  const kept = pairs.flatMap((pair) => {
    const field = current.get(nameOf(pair));
    if (field === undefined) return own.has(nameOf(pair)) ? [] : [pair];
    if (isKept(field)) return [pair];
    const value = values[field.name];
    return value === undefined ? [] : [`${nameOf(pair)}=${textIn(field, value)}`];
  });
  const present = new Set(kept.map(nameOf));
  const added = template.parameters.flatMap(({ name, field }) => {
    const value = values[field.name];
    return value === undefined || present.has(name) ? [] : [`${name}=${textIn(field, value)}`];
  });
  const query = [...queries, ...kept, ...added].join("&");
  return `${base}${query === "" ? "" : `?${query}`}${parts?.fragment ?? ""}`;
}

function baseOf({ base, baseFields, parameters }: AddressTemplate, values: Values): string {
  return base.replaceAll(placeholders, (whole, name: string, at: number) => {
    const field = baseFields.find((each) => each.name === name);
    const text = field === undefined ? whole : textIn(field, values[name] ?? "");
    const isLast = at + whole.length === base.length;
    if (field?.kind !== "url" || (isLast && parameters.length === 0)) return text;
    if (!isLast && text.includes("?"))
      throw new InvalidInput(
        `settings.${name}: must be a URL without a query, such as ${field.example}`,
      );
    return text.replace(/\/+(?=$|\?)/, "");
  });
}

function leadsElsewhere({ name, fields }: Service): InvalidInput {
  const field = fields.find(({ kind }) => kind === "url");
  return new InvalidInput(
    field === undefined
      ? `settings: must lead to ${name}`
      : `settings.${field.name}: must be a URL of ${name}, such as ${field.example}`,
  );
}
