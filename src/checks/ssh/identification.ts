import { ProtocolError } from "../../kit/protocol-error.ts";
import { excerpt } from "../outcome/excerpt.ts";

/** The software version of our identification; the library adds the protocol version itself. */
export const clientSoftware = "Watchpost";
export const clientIdentification = `SSH-2.0-${clientSoftware}`;

const MAX_LINES_BEFORE = 50;
const MAX_BYTES_BEFORE = 16 * 2 ** 10;

/** The end of the server's identification in the text; undefined if it is not complete yet. RFC 4253, 4.2: other lines may precede it. */
export function identificationEnd(said: string): number | undefined {
  const found = /(?<=^|\n)SSH-[^\n]*\n/.exec(said);
  const before = said.slice(0, found?.index);
  if (before.includes("\0")) throw new ProtocolError("not the text that SSH begins with");
  if (before.length > MAX_BYTES_BEFORE || before.split("\n").length - 1 > MAX_LINES_BEFORE)
    throw new ProtocolError("no identification of an SSH server");
  if (found === null) return undefined;
  const [line] = found;
  // RFC 4253, 5.1: 1.99 means that 2.0 is supported.
  if (!/^SSH-(?:2\.0|1\.99)-/.test(line))
    throw new ProtocolError(`not SSH 2: ${excerpt(line.trim())}`);
  return found.index + line.length;
}
