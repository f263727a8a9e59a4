import { isIPv6 } from "node:net";

import { z } from "zod";

import { failed, passed, type Outcome } from "../domain/run/outcome.ts";
import { ProtocolError } from "../kit/protocol-error.ts";
import { defineCheckType, type RunContext } from "./check-type.ts";
import {
  withLineConnection,
  openLineConnection,
  type LineConnection,
} from "./net/line-connection.ts";
import {
  contentLine,
  host,
  invert,
  ipv6,
  password,
  portOr,
  username,
} from "./parameters/parameters.ts";
import { refusal } from "./outcome/refusal.ts";
import { onOneLine } from "./outcome/text-rule.ts";
import { sendCommand, readReply, type Reply } from "./net/reply.ts";

export const ftpCheck = defineCheckType({
  type: "FTP",
  title: { en: "FTP server", de: "FTP-Server" },
  group: "servers",
  summary: {
    en: "Connects to an FTP server, logs in if it has a user name, and passes if both succeed and the text is the name of a file or in a reply",
    de: "Verbindet sich mit einem FTP-Server, meldet sich mit einem Benutzernamen dort an, und besteht, wenn beides gelingt und der Text der Name einer Datei ist oder in einer Antwort steht",
  },
  target: "host",
  recognition: { ports: { 21: {} } },
  example: {
    target: "ftp.example.com",
    port: 2121,
    username: "alice",
    password: "s3cret",
    contentstring: "backup.tar",
    invert: false,
    ipv6: false,
  },
  schema: z.object({
    target: host,
    port: portOr(21),
    username,
    password,
    contentstring: contentLine,
    invert,
    ipv6,
  }),
  run: ({ target, port, ipv6, ...parameters }, context) =>
    withLineConnection(
      { host: target, port, family: ipv6 ? 6 : undefined },
      context,
      async (connection) => {
        const outcome = await checkServer(connection, parameters, context);
        connection.writeLine("QUIT");
        return outcome;
      },
    ),
});

interface Credentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface Parameters extends Credentials {
  readonly contentstring: string | undefined;
  readonly invert: boolean;
}

/** RFC 959, 4.2: the server is shutting down; it may come in reply to any command. */
const CLOSES = 421;
/** Servers reply with these for an empty folder. */
const NO_FILES = new Set([450, 550]);

async function checkServer(
  connection: LineConnection,
  { contentstring, invert, ...credentials }: Parameters,
  context: RunContext,
): Promise<Outcome> {
  const greeting = await readGreeting(connection);
  if (greeting.code !== 220) return refusal("Failed", `${greeting.code} ${greeting.lines[0]}`);
  const login = await logIn(connection, credentials);
  const { code } = login;
  const isIn = code === 230 || code === 202;
  const notIn = failed("auth", "Failed", `Login failed: ${code}`);
  // Without credentials the check asks only for a working server, not for a login.
  if (!isIn && (credentials.username !== undefined || code === CLOSES)) return notIn;
  if (contentstring === undefined)
    return isIn ? passed("Logged in", "Logged in") : passed("Connected", "Connected");

  const isInReplies = [...greeting.lines, ...login.lines].some((line) =>
    line.includes(contentstring),
  );
  if (!isInReplies && !isIn) return notIn;
  const names = isInReplies ? [] : await listNames(connection, context);
  if (names === undefined) return failed("status", "Failed", "The files could not be listed");
  const isFound = isInReplies || names.includes(contentstring);
  const text = isFound ? "Found" : "File not found";
  const name = onOneLine(contentstring);
  return isFound === invert
    ? failed("mismatch", text, `${isFound ? "Found, though forbidden" : text}: ${name}`)
    : passed(text, `${text}: ${name}`);
}

/** RFC 959, 5.4: 120 announces that the greeting will be late. */
async function readGreeting(connection: LineConnection): Promise<Reply> {
  let reply = await readReply(connection);
  while (reply.code === 120) reply = await readReply(connection);
  return reply;
}

/** RFC 1635: without a user name the login is anonymous, with a mail address as the password. */
async function logIn(
  connection: LineConnection,
  { username, password = "" }: Credentials,
): Promise<Reply> {
  const [name, secret] =
    username === undefined ? ["anonymous", "anonymous@example.com"] : [username, password];
  const first = await sendCommand(connection, `USER ${name}`);
  if (first.code !== 331) return first;
  const second = await sendCommand(connection, `PASS ${secret}`);
  return { code: second.code, lines: [...first.lines, ...second.lines] };
}

/** The names in the login folder; undefined if the server does not list them. */
async function listNames(
  connection: LineConnection,
  context: RunContext,
): Promise<readonly string[] | undefined> {
  const port = await openDataPort(connection);
  if (port === undefined) return undefined;
  using data = await openLineConnection({ host: connection.address, port }, context);
  const { code } = await sendCommand(connection, "NLST");
  if (NO_FILES.has(code)) return [];
  if (code !== 125 && code !== 150) return undefined;
  const listing = await data.readToEnd();
  const end = await readReply(connection, { quote: false });
  return end.code === 226 || end.code === 250 ? listing.split(/\r?\n/) : undefined;
}

/** Gives the port only. The host in the reply to PASV may be any, so the data connection goes to the server itself. */
async function openDataPort(connection: LineConnection): Promise<number | undefined> {
  const isExtended = isIPv6(connection.address);
  const { code, lines } = await sendCommand(connection, isExtended ? "EPSV" : "PASV");
  if (code !== (isExtended ? 229 : 227)) return undefined;
  const port = dataPortIn(lines.join(" "), isExtended);
  if (port >= 1024 && port <= 65_535) return port;
  throw new ProtocolError("no data port that may be dialled");
}

/** The port in a reply to EPSV (RFC 2428, 3), or to PASV (RFC 959, 4.1.2); NaN where it names none. */
export function dataPortIn(text: string, isExtended: boolean): number {
  if (isExtended) return Number(/\((.)\1\1(\d{1,5})\1\)/.exec(text)?.[2]);
  const [, high, low] = /(?<!\d)\d+,\d+,\d+,\d+,(\d{1,3}),(\d{1,3})/.exec(text) ?? [];
  return Number(high) * 256 + Number(low);
}
