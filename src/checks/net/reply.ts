import { ProtocolError } from "../../kit/protocol-error.ts";
import type { LineConnection } from "./line-connection.ts";
import { excerpt } from "../outcome/excerpt.ts";

export interface Reply {
  readonly code: number;
  /** The text of each line, without its code. */
  readonly lines: readonly string[];
}

/** One reply as SMTP (RFC 5321, 4.2.1) and FTP (RFC 959, 4.2) have it, of a line or of many. */
export async function readReply(
  talk: Pick<LineConnection, "readLine">,
  { quote = true }: { readonly quote?: boolean } = {},
): Promise<Reply> {
  const first = await talk.readLine();
  const [, code = "", mark, text = ""] = /^([1-5]\d\d)(?:([ -])(.*))?$/s.exec(first) ?? [];
  if (code === "")
    throw new ProtocolError(quote ? `not a reply: ${excerpt(first)}` : "not a reply");
  const lines = [text];
  const ending = mark === "-" ? new RegExp(`^${code}(?: |$)`) : /^/;
  for (let line = first; !ending.test(line);) {
    line = await talk.readLine();
    lines.push(line.replace(new RegExp(`^${code}[ -]?`), ""));
  }
  return { code: Number(code), lines };
}

/** Says a line and reads the reply to it, which is never quoted. */
export async function sendCommand(
  talk: Pick<LineConnection, "readLine" | "writeLine">,
  line: string,
): Promise<Reply> {
  talk.writeLine(line);
  return readReply(talk, { quote: false });
}
