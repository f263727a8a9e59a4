import { ProtocolError } from "../../kit/protocol-error.ts";
import {
  END,
  errorIn,
  FILE_REQUEST,
  OK,
  readerOf,
  type MysqlError,
  type MysqlConnection,
} from "./packet.ts";

/** Values by column name, as text; undefined for NULL. */
type Row = Readonly<Record<string, string | undefined>>;

const QUERY = 3;
/** Limit of MySQL itself. */
const MAX_COLUMNS = 4096;
/** Enough to see an error at the end of a small result; the rest of a large one is not read. */
const MAX_ROWS = 100;

/** Returns the first row of the first result; empty if there is none. */
export async function runQuery(
  connection: MysqlConnection,
  query: string,
): Promise<{ readonly row: Row } | { readonly error: MysqlError }> {
  connection.command(Buffer.from([QUERY, ...Buffer.from(query)]));
  const head = await connection.read();
  const error = errorIn(head);
  if (error !== undefined) return { error };
  if (head[0] === OK) return { row: {} };
  if (head[0] === FILE_REQUEST) throw new ProtocolError("a request for a file of ours");
  const names = await readNames(connection, readerOf(head).count());
  let row: Row = {};
  for (let rows = 0; rows < MAX_ROWS; rows += 1) {
    const packet = await connection.read();
    const error = errorIn(packet);
    if (error !== undefined) return { error };
    if (isEnd(packet)) break;
    if (rows === 0) row = rowIn(packet, names);
  }
  return { row };
}

async function readNames(connection: MysqlConnection, columns = 0): Promise<readonly string[]> {
  if (columns > MAX_COLUMNS) throw new ProtocolError(`a result of ${columns} columns`);
  const names: string[] = [];
  while (names.length < columns) {
    const column = readerOf(await connection.read());
    // The catalog, the schema, the table and its original name.
    for (let before = 0; before < 4; before += 1) column.text();
    names.push(column.text() ?? "");
  }
  if (!isEnd(await connection.read())) throw new ProtocolError("more columns than were announced");
  return names;
}

function rowIn(packet: Buffer, names: readonly string[]): Row {
  const { text } = readerOf(packet);
  return Object.fromEntries(names.map((name) => [name, text()]));
}

/** A row packet with a long value may begin with the same byte, but is longer. */
function isEnd(packet: Buffer): boolean {
  return packet[0] === END && packet.length < 9;
}
