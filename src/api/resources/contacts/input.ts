import { z } from "zod";

import { addressKinds } from "../../../channels/registry.ts";
import { addressStatuses, contactRoles } from "../../../domain/contact.ts";
import type { WebhookRequest } from "../../../domain/contact.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import {
  choice,
  field,
  flag,
  integer,
  list,
  parseRecord,
  record,
  required,
  text,
} from "../../../schema/fields.ts";
import type { JsonSchema } from "../../../schema/fields.ts";
import { mute } from "../../../schema/mute.ts";

const LONGEST_NAME = 255;
const LONGEST_ADDRESS = 2000;

const address = text(LONGEST_ADDRESS).describe("The mailbox, number, URL, handle or key");

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
  expected: "must be an object of names to texts",
  jsonSchema: { type: ["object", "string"], additionalProperties: { type: "string" } },
  parse: parseTexts,
});

const data = field({
  expected: "must be text, an object or a list",
  jsonSchema: { type: ["string", "object", "array"] },
  parse: parseData,
});

/** What an entry of `addresses` may change; what else a record shows of an address is ignored. */
export const addressEntry = z.object({
  address,
  suppressup: flag.describe("No alerts of recoveries"),
  suppressdown: flag.describe("No alerts of failures"),
  suppressfirst: flag.describe("No alerts of first results"),
  suppressdiag: flag.describe("No diagnostics"),
  suppressall: flag.describe("Nothing at all"),
  mute: mute.describe("Sends no alerts: for good, or until an instant in ms"),
  action: action.describe("Of a webhook: the method; post unless given"),
  headers: texts.describe("Of a webhook: headers to send along; `{}` takes them away"),
  querystrings: texts.describe("Of a webhook: parameters to add to the URL; `{}` takes them away"),
  data: data.describe(
    "Of a webhook: the body, as text or as JSON, which cannot be taken away again; an envelope of our own unless given",
  ),
  priority: integer(-2, 2).describe("Of a pushover address: the urgency; 2 unless given"),
});

/** Whether it is to be told again what receivers refused; any other status is what a record shows. */
const status = field({
  expected: "must be new",
  jsonSchema: { type: "string", enum: [...addressStatuses] },
  parse: (value) => value === "new",
});

export const existingAddressEntry = addressEntry.extend({
  status: status.describe("`new`: whoever refused it is to be asked again"),
});
export type AddressEntry = z.output<typeof addressEntry> &
  Partial<z.output<typeof existingAddressEntry>>;

export const newAddressEntry = addressEntry.extend({
  type: kind.describe("The kind of address; required unless it is a mailbox"),
  address: required(address),
});

/** Parameters of every contact. */
export const contactFields = {
  name: text(LONGEST_NAME).describe("What people call it"),
  custrole: choice(contactRoles).describe(
    "What it may do when it signs in; view unless given, notify is only told",
  ),
  newaddresses: list({ ...formsOf(newAddressEntry), required: ["address"] }).describe(
    "Addresses to add",
  ),
};

export const addresses = record(formsOf(existingAddressEntry)).describe(
  "By id, what changes of each address; those that are missing are removed",
);

function formsOf(entry: z.ZodObject): JsonSchema {
  const { $schema: _, ...forms } = z.toJSONSchema(entry, { io: "input", unrepresentable: "any" });
  return forms;
}

/** Texts by name; other scalars as text, and null is not sent. */
function parseTexts(value: unknown): Readonly<Record<string, string>> | undefined {
  const parsed = parseRecord(value);
  if (parsed === undefined) return undefined;
  const members = Object.entries(parsed).filter(([, member]) => member !== null);
  const fits = members.every(([, member]) =>
    ["string", "number", "boolean"].includes(typeof member),
  );
  return fits
    ? Object.fromEntries(members.map(([name, member]) => [name, String(member)]))
    : undefined;
}

/** What would leave nothing of the body says nothing: an empty text. */
function parseData(value: unknown): WebhookRequest["data"] {
  if (value === false || value === 0) return "";
  if (typeof value === "string") return value;
  const parsed = Array.isArray(value) ? value : parseRecord(value);
  return parsed && (Object.keys(parsed).length === 0 ? "" : parsed);
}
