import { maxRequestCharacters, type WebhookRequest } from "../../domain/contact/contact.ts";
import { InvalidInput } from "../../kit/errors.ts";
import { parseTemplate } from "../format/template.ts";

/** Headers that cannot be set: those of HTTP framing, and those that name and sign the alert. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "webhook-id",
  "webhook-signature",
  "webhook-timestamp",
  "watchpost-attempt",
]);

/** Throws InvalidInput, naming the part, where a webhook cannot be called that way. */
export function assertRequestSettings({ headers, querystrings, data }: WebhookRequest): void {
  for (const [name, part] of Object.entries({ headers, querystrings, data })) {
    if (part === undefined) continue;
    const size = typeof part === "string" ? part.length : JSON.stringify(part).length;
    if (size > maxRequestCharacters)
      throw new InvalidInput(`${name}: must be at most ${maxRequestCharacters} characters`);
    try {
      assertTemplates(part);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      throw new InvalidInput(`${name}: ${error.message}`, { cause: error });
    }
  }
  for (const [name, value] of Object.entries(headers ?? {})) assertHeader(name, value);
}

function assertTemplates(value: unknown): void {
  if (typeof value === "string") parseTemplate(value);
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) assertTemplates(member);
}

/** Names are tokens, values are one line (RFC 9110, 5.1 and 5.5). */
function assertHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new InvalidInput(`headers: no name of a header: ${JSON.stringify(name)}`);
  if (ownHeaders.has(name.toLowerCase()))
    throw new InvalidInput(`headers: cannot be set: ${JSON.stringify(name)}`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value))
    throw new InvalidInput(`headers: must be one line: ${JSON.stringify(name)}`);
}
