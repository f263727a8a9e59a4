import { parseResponse, type JsonObject } from "../../api-client.ts";
import { contactStep } from "../../configuration/contact-step.ts";
import { addressEntries } from "../../configuration/document.ts";

/** Returns the parameters of a contact's PUT that leaves only these addresses; empty if nothing changes. */
export function addressParameters(wanted: readonly JsonObject[], record: JsonObject): JsonObject {
  const entries = Object.fromEntries(wanted.map((address, index) => [`new ${index}`, address]));
  const known = parseResponse(addressEntries, record.addresses ?? {});
  const contact = { name: "", custrole: "notify" } as const;
  const step = contactStep(
    { kind: "contact", id: "", name: "" },
    {
      wanted: { ...contact, addresses: parseResponse(addressEntries, entries) },
      current: { ...contact, addresses: known },
    },
    { prune: true },
  );
  const { id: _id, ...parameters } = step.calls[0]?.parameters ?? {};
  return parameters;
}
