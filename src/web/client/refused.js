import { ask } from "./ask.js";
import { made } from "./made.js";

const consequences = {
  refused: "The next alert is tried again.",
  disabled: "Nothing is sent there until a test is taken or the address changes.",
};

/** The addresses of an account that receivers refuse. */
export async function readRefused(token) {
  const contacts = Object.values(await ask(token, "contacts"));
  return contacts.flatMap(({ _id: id, name, addresses = {} }) =>
    Object.values(addresses)
      .filter(({ refusal }) => refusal !== undefined)
      .map((address) => ({ ...address, contact: name || id })),
  );
}

/** A line for each, as text alone: a receiver may answer what it likes. */
export function refusedRow({ contact, type, address, status, refusal }) {
  const line = document.createElement("tr");
  const since = new Date(refusal.at).toLocaleString();
  const cells = [contact, `${type} ${address}`, refusal.reason, since, consequences[status]];
  line.append(...cells.map((text) => made("td", text)));
  return line;
}
