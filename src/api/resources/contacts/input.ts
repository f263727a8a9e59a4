import { z } from "zod";

import { addressKinds } from "../../../channels/registry.ts";
import {
  parseServiceName,
  serviceForms,
  serviceNames,
} from "../../../channels/service-settings.ts";
import {
  addressStatuses,
  contactRoles,
  maxRequestCharacters,
  type WebhookRequest,
} from "../../../domain/contact/contact.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { defaultLimits } from "../../../kit/safe-json.ts";
import { field, required, type JsonSchema } from "../../../schema/field.ts";
import { formHints } from "../../../schema/form-parameter.ts";
import { list, parseRecord, record } from "../../../schema/json-values.ts";
import { choice, flag, integer, text } from "../../../schema/scalars.ts";
import { mute } from "../../../schema/mute.ts";

const MAX_NAME_LENGTH = 255;
const MAX_ADDRESS_LENGTH = 2000;
const MAX_TEXTS = 100;
/** Maximum addresses of one contact. */
export const maxAddresses = 100;

const address = text(MAX_ADDRESS_LENGTH).describe("The mailbox, number, URL, handle or key");

const kind = field({
  expected: `must be one of ${addressKinds.join(", ")}`,
  jsonSchema: { type: "string", enum: [...addressKinds] },
  parse(value) {
    const word = typeof value === "string" ? value.trim().toLowerCase() : value;
    if (word === "hipchat")
      throw new InvalidInput("hipchat is gone, the service was closed in 2019");
    return addressKinds.find((known) => known === word);
  },
});

const actions = ["get", "put", "post", "head", "delete"];

/** A method, in the case in which it was sent. */
const action = field({
  expected: `must be one of ${actions.join(", ")}`,
  jsonSchema: { type: "string", enum: actions },
  parse(value) {
    const word = typeof value === "string" ? value.trim() : "";
    return actions.includes(word.toLowerCase()) ? word : undefined;
  },
});

const texts = field({
  expected: `must be an object of names to texts, of at most ${MAX_TEXTS}`,
  jsonSchema: {
    type: ["object", "string"],
    maxProperties: MAX_TEXTS,
    additionalProperties: { type: "string", maxLength: maxRequestCharacters },
  },
  parse: parseTexts,
});

const data = field({
  expected: `must be text, an object or a list, of at most ${maxRequestCharacters} characters`,
  jsonSchema: {
    type: ["string", "object", "array"],
    maxLength: maxRequestCharacters,
    maxProperties: defaultLimits.keys,
    maxItems: defaultLimits.keys,
  },
  parse: parseData,
});

const serviceOf = field({
  expected: `must be one of ${serviceNames.join(", ")}`,
  jsonSchema: { type: "string", enum: [...serviceNames] },
  parse: (value) => (typeof value === "string" ? parseServiceName(value) : undefined),
});

/** Settings of a service, entered instead of its address. */
const serviceEntry = {
  service: serviceOf.describe(
    "Of a webhook: the service that it leads to; with `settings` in place of `address`",
  ),
  settings: texts.describe(
    `The values that the service gives you, from which the address is made; what is not sent stays, and empty text removes a value. ${settingsText()}`,
  ),
};

/** The members of an address that can be changed; other members of a record are ignored. */
export const addressEntry = z.object({
  address,
  suppressup: flag.describe("No alerts of recoveries"),
  suppressdown: flag.describe("No alerts of failures"),
  suppressfirst: flag.describe("No alerts of first results"),
  suppressdiag: flag.describe("No diagnostics"),
  suppressall: flag.describe("No messages at all"),
  mute: mute.describe("Mutes the alerts: for good, or until an instant in ms"),
  action: action.describe("Of a webhook: the method; post if missing").register(formHints, {
    title: { en: "Method", de: "Methode" },
    help: { de: "Die Methode der Anfrage; post ohne Angabe" },
    suggested: "post",
  }),
  headers: texts.describe("Of a webhook: headers to send; `{}` removes them").register(formHints, {
    title: { en: "Headers to send", de: "Gesendete Header" },
    help: { de: "Header der Anfrage; `{}` entfernt sie" },
  }),
  querystrings: texts
    .describe("Of a webhook: parameters to add to the URL; `{}` removes them")
    .register(formHints, {
      title: { en: "Parameters to add to the URL", de: "Zusätzliche Parameter der URL" },
      help: { en: "Names and values", de: "Namen und Werte" },
    }),
  data: data
    .describe(
      "Of a webhook: the body, as text or as JSON, which cannot be removed again; the default body if missing",
    )
    .register(formHints, {
      title: { en: "Body", de: "Inhalt" },
      help: {
        en: "Text or JSON, with variables such as {label}; the default body if empty",
        de: "Text oder JSON, mit Variablen wie {label}; der übliche Inhalt, wenn leer",
      },
      input: "text",
    }),
  priority: integer(-2, 2)
    .describe("Of a pushover address: the priority; 2 if missing")
    .register(formHints, {
      title: { en: "Priority", de: "Priorität" },
      help: {
        en: "-2 to 2; 2 repeats until somebody confirms",
        de: "-2 bis 2; 2 wiederholt sich, bis jemand bestätigt",
      },
      suggested: 2,
    }),
});

/** Only `new` has an effect: it resets the status of a refused address. Any other status is ignored, as records contain one. */
const status = field({
  expected: "must be new",
  jsonSchema: { type: "string", enum: [...addressStatuses] },
  parse: (value) => value === "new",
});

export const existingAddressEntry = addressEntry.extend({
  ...serviceEntry,
  status: status.describe("`new`: sends to a refused address again"),
});
export type AddressInput = z.output<typeof addressEntry> &
  Partial<z.output<typeof existingAddressEntry>>;

const type = kind.describe("The type of address; required unless it is a mailbox");

/** An address whose settings of a service are in its text. */
export const plainAddressEntry = addressEntry.extend({ type, address: required(address) });

export const newAddressEntry = addressEntry.extend({
  ...serviceEntry,
  type,
});

/** Parameters of every contact. */
export const contactFields = {
  name: text(MAX_NAME_LENGTH).describe("The name for people"),
  custrole: choice(contactRoles).describe(
    "What the contact may do when signed in; view if missing. notify only gets alerts",
  ),
  newaddresses: list(maxAddresses, formsOf(newAddressEntry)).describe(
    "Addresses to add, each with an `address` or with a `service` and its `settings`",
  ),
};

export const addresses = record(maxAddresses, formsOf(existingAddressEntry)).describe(
  "By id, the changes of each address; addresses that are missing are removed",
);

function formsOf(entry: z.ZodObject): JsonSchema {
  const { $schema: _, ...forms } = z.toJSONSchema(entry, { io: "input", unrepresentable: "any" });
  return forms;
}

function settingsText(): string {
  const services = serviceForms.map(({ name, fields }) => {
    const names = fields.map(({ name: each, required: isRequired }) =>
      isRequired ? `\`${each}\`` : `[\`${each}\`]`,
    );
    return `${name}: ${names.join(", ")}`;
  });
  return services.join("; ");
}

/** Texts by name; other scalars become text, and null is the same as not sent. */
function parseTexts(value: unknown): Readonly<Record<string, string>> | undefined {
  const parsed = parseRecord(value);
  if (parsed === undefined) return undefined;
  const members = Object.entries(parsed).filter(([, member]) => member !== null);
  if (members.length > MAX_TEXTS) return undefined;
  const fits = members.every(([, member]) =>
    ["string", "number", "boolean"].includes(typeof member),
  );
  return fits
    ? Object.fromEntries(members.map(([name, member]) => [name, String(member)]))
    : undefined;
}

/** `false` and other values for no body mean empty text. */
function parseData(value: unknown): WebhookRequest["data"] {
  if (value === false || value === 0) return "";
  if (typeof value === "string") return value;
  const parsed = Array.isArray(value) ? value : parseRecord(value);
  return parsed && (Object.keys(parsed).length === 0 ? "" : parsed);
}
