import { InvalidInput } from "../../kit/errors.ts";

const MAX_MAILBOX_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;

/** A dot-atom and a host name (RFC 5321, 4.1.2), in letters of any script (RFC 6531). */
const word = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const name = String.raw`[\p{L}\p{M}\p{N}-]+`;
const mailbox = new RegExp(
  String.raw`^(?<local>${word}(?:\.${word})*)@${name}(?:\.${name})*$`,
  "u",
);

/** One bare address; throws InvalidInput with the expected format. */
export function parseMailbox(address: string): string {
  const given = address.trim();
  const local = mailbox.exec(given)?.groups?.local;
  const fits =
    Buffer.byteLength(given) <= MAX_MAILBOX_LENGTH &&
    Buffer.byteLength(local ?? "") <= MAX_LOCAL_PART_LENGTH;
  // guard: one mailbox
  if (local === undefined || !fits) {
    throw new InvalidInput(
      `must be one mailbox such as name@example.com, not ${JSON.stringify(given.slice(0, MAX_MAILBOX_LENGTH))}`,
    );
  }
  return given;
}
