import { ProtocolError } from "../../kit/protocol-error.ts";
import type { LineConnection } from "./line-connection.ts";
import { excerpt } from "../outcome/excerpt.ts";

export interface Reply {
  readonly code: number;
  /** The text of each line, without its code. */
  readonly lines: readonly string[];
}

/** Far more than any server says at once. */
const MAX_LINES = 1000;

/** Reads one reply of SMTP (RFC 5321, 4.2.1) or FTP (RFC 959, 4.2), of one or more lines. */
export async function readReply(
  connection: Pick<LineConnection, "readLine">,
  { quote = true }: { readonly quote?: boolean } = {},
): Promise<Reply> {
  const first = await connection.readLine();
  const [, code = "", mark, text = ""] = /^([1-5]\d\d)(?:([ -])(.*))?$/s.exec(first) ?? [];
  if (code === "")
    throw new ProtocolError(quote ? `not a reply: ${excerpt(first)}` : "not a reply");
  const lines = [text];
  const ending = mark === "-" ? new RegExp(`^${code}(?: |$)`) : /^/;
  const beginning = new RegExp(`^${code}[ -]?`);
  for (let line = first; !ending.test(line);) {
    if (lines.length === MAX_LINES)
      throw new ProtocolError(`a reply of more than ${MAX_LINES} lines`);
    line = await connection.readLine();
    lines.push(line.replace(beginning, ""));
  }
  return { code: Number(code), lines };
}

/** Sends a command and reads its reply, which is never quoted in errors. */
export async function sendCommand(
  connection: Pick<LineConnection, "readLine" | "writeLine">,
  line: string,
): Promise<Reply> {
  connection.writeLine(line);
  return readReply(connection, { quote: false });
}
