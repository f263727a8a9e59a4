import { ProtocolError } from "../../kit/protocol-error.ts";
import { excerpt } from "../outcome/excerpt.ts";

/** How we identify ourselves; the name goes where a library writes the rest. */
export const clientSoftware = "Watchpost";
export const clientIdentification = `SSH-2.0-${clientSoftware}`;

const MOST_LINES_BEFORE = 50;
const MOST_BYTES_BEFORE = 16 * 2 ** 10;

/** Where a server's identification ends; undefined while it has not come. RFC 4253, 4.2: other lines may come before it. */
export function identificationEnd(said: string): number | undefined {
  const found = /(?<=^|\n)SSH-[^\n]*\n/.exec(said);
  const before = said.slice(0, found?.index);
  if (before.includes("\0")) throw new ProtocolError("not the text that SSH begins with");
  if (before.length > MOST_BYTES_BEFORE || before.split("\n").length - 1 > MOST_LINES_BEFORE)
    throw new ProtocolError("no identification of an SSH server");
  if (found === null) return undefined;
  const [line] = found;
  // RFC 4253, 5.1: 1.99 speaks 2.0 as well.
  if (!/^SSH-(?:2\.0|1\.99)-/.test(line))
    throw new ProtocolError(`not SSH 2: ${excerpt(line.trim())}`);
  return found.index + line.length;
}
