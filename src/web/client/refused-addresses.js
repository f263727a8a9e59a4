import { getJson } from "./get-json.js";
import { textElement } from "./text-element.js";

const consequences = {
  refused: "The next alert is sent again.",
  disabled: "Nothing is sent until a test succeeds or the address changes.",
};

/** Loads the addresses of an account that receivers refuse. */
export async function loadRefusedAddresses(token) {
  const contacts = Object.values(await getJson(token, "contacts"));
  return contacts.flatMap(({ _id: id, name, addresses = {} }) =>
    Object.values(addresses)
      .filter(({ refusal }) => refusal !== undefined)
      .map((address) => ({ ...address, contact: name || id })),
  );
}

/** A table row as text only: the response of a receiver is not trusted. */
export function refusedAddressRow({ contact, type, address, status, refusal }) {
  const line = document.createElement("tr");
  const since = new Date(refusal.at).toLocaleString();
  const cells = [contact, `${type} ${address}`, refusal.reason, since, consequences[status]];
  line.append(...cells.map((text) => textElement("td", text)));
  return line;
}
