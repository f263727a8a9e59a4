import type { Outcome } from "../../domain/run/outcome.ts";
import { createByteQueue, type Reserve } from "../../kit/net/byte-queue.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import { connect, withConnection, type Connection, type ConnectionTarget } from "./connection.ts";
import type { TlsFacts } from "../tls/handshake.ts";

/** A connection that is read line by line. */
export interface LineConnection
  extends Pick<Connection, "address" | "peerDetails" | "timings">, Disposable {
  /** The next line, without its end. */
  readonly readLine: () => Promise<string>;
  /** Everything until the server closes. */
  readonly readToEnd: () => Promise<string>;
  readonly writeLine: (line: string) => void;
  /** Upgrades to TLS, at the start or once the server has agreed to STARTTLS. */
  readonly startTls: () => Promise<TlsFacts>;
}

const MAX_LINE_BYTES = 16 * 2 ** 10;
const MAX_BYTES = 2 ** 20;
/** Maximum lines, which take 30 ms to receive; no greeting or reply has a tenth of that. */
export const MAX_LINES = 10_000;
const LINE_FEED = 10;

/** Like withConnection, line by line. */
export function withLineConnection(
  call: ConnectionTarget,
  context: RunContext,
  use: (connection: LineConnection) => Promise<Outcome>,
): Promise<Outcome> {
  return withConnection(call, context, (connection) =>
    use(lineConnectionOver(connection, context.reserve)),
  );
}

export async function openLineConnection(
  call: ConnectionTarget,
  context: RunContext,
): Promise<LineConnection> {
  return lineConnectionOver(await connect(call, context), context.reserve);
}

function lineConnectionOver(
  { read, send, startTls, ...connection }: Connection,
  reserve: Reserve | undefined,
): LineConnection {
  const unread = createByteQueue(reserve);
  let received = 0;
  let lines = 0;

  /** False once the server has closed. */
  const readMore = async (): Promise<boolean> => {
    const chunk = await read();
    if (chunk === undefined) return false;
    received += chunk.length;
    // guard: length of conversations
    if (received > MAX_BYTES) throw new ProtocolError(`more than ${MAX_BYTES} bytes`);
    await unread.append(chunk);
    return true;
  };

  return {
    ...connection,
    async readLine() {
      lines += 1;
      // guard: lines of a conversation
      if (lines > MAX_LINES) throw new ProtocolError(`more than ${MAX_LINES} lines`);
      for (;;) {
        const end = unread.indexOf(LINE_FEED);
        // guard: length of lines
        if (end > MAX_LINE_BYTES || (end === -1 && unread.length() > MAX_LINE_BYTES))
          throw new ProtocolError(`a line of more than ${MAX_LINE_BYTES} bytes`);
        if (end !== -1)
          return unread
            .take(end + 1)
            .toString()
            .replace(/\r?\n$/, "");
        if (!(await readMore())) throw connectionClosed();
      }
    },
    async readToEnd() {
      while (await readMore());
      return unread.take(Infinity).toString();
    },
    writeLine(line) {
      // guard: one command in a line
      if (/[\r\n\0]/.test(line))
        throw new InvalidInput("what is sent must not contain the end of a line");
      send(`${line}\r\n`);
    },
    startTls: () => startTls(unread.length()),
  };
}
