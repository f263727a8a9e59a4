import { isIPv6 } from "node:net";

import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import { ProtocolError } from "../kit/protocol-error.ts";
import { defineCheckType } from "./check-type.ts";
import type { RunContext } from "./check-type.ts";
import { withLineConnection, openLineConnection } from "./net/line-connection.ts";
import type { LineConnection } from "./net/line-connection.ts";
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
import { sendCommand, readReply } from "./net/reply.ts";
import type { Reply } from "./net/reply.ts";

export const ftpCheck = defineCheckType({
  type: "FTP",
  summary:
    "Connects to an FTP server, logs in where it is given a user, and passes when both succeed, and what is looked for is a file there or said by the server",
  target: "host",
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
      async (talk) => {
        const outcome = await visit(talk, parameters, context);
        talk.writeLine("QUIT");
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

/** RFC 959, 4.2: it closes, whatever it was asked. */
const CLOSES = 421;
/** How servers say that a folder is empty. */
const NO_FILES = new Set([450, 550]);

async function visit(
  talk: LineConnection,
  { contentstring, invert, ...credentials }: Parameters,
  context: RunContext,
): Promise<Outcome> {
  const greeting = await readGreeting(talk);
  if (greeting.code !== 220) return refusal("Failed", `${greeting.code} ${greeting.lines[0]}`);
  const login = await logIn(talk, credentials);
  const { code } = login;
  const isIn = code === 230 || code === 202;
  const notIn = failed("auth", "Failed", `Login failed: ${code}`);
  // Who was given no credentials was told to find a server, not to get in.
  if (!isIn && (credentials.username !== undefined || code === CLOSES)) return notIn;
  if (contentstring === undefined)
    return isIn ? passed("Logged in", "Logged in") : passed("Connected", "Connected");

  const isSaid = [...greeting.lines, ...login.lines].some((line) => line.includes(contentstring));
  if (!isSaid && !isIn) return notIn;
  const names = isSaid ? [] : await listNames(talk, context);
  if (names === undefined) return failed("status", "Failed", "The files could not be listed");
  const isFound = isSaid || names.includes(contentstring);
  const text = isFound ? "Found" : "File not found";
  const message = `${text}: ${contentstring}`;
  return isFound === invert ? failed("mismatch", text, message) : passed(text, message);
}

/** RFC 959, 5.4: 120 says that it takes a while until the greeting comes. */
async function readGreeting(talk: LineConnection): Promise<Reply> {
  let reply = await readReply(talk);
  while (reply.code === 120) reply = await readReply(talk);
  return reply;
}

/** RFC 1635: who has no name is anonymous, and leaves a mail address. */
async function logIn(
  talk: LineConnection,
  { username, password = "" }: Credentials,
): Promise<Reply> {
  const [name, secret] =
    username === undefined ? ["anonymous", "anonymous@example.com"] : [username, password];
  const first = await sendCommand(talk, `USER ${name}`);
  if (first.code !== 331) return first;
  const second = await sendCommand(talk, `PASS ${secret}`);
  return { code: second.code, lines: [...first.lines, ...second.lines] };
}

/** The names in the folder of the login; undefined where the server does not tell. */
async function listNames(
  talk: LineConnection,
  context: RunContext,
): Promise<readonly string[] | undefined> {
  const port = await openDataPort(talk);
  if (port === undefined) return undefined;
  using data = await openLineConnection({ host: talk.address, port }, context);
  const { code } = await sendCommand(talk, "NLST");
  if (NO_FILES.has(code)) return [];
  if (code !== 125 && code !== 150) return undefined;
  const listing = await data.readToEnd();
  const end = await readReply(talk, { quote: false });
  return end.code === 226 || end.code === 250 ? listing.split(/\r?\n/) : undefined;
}

/** Gives the port alone: the host that PASV names may be anybody's, so what is dialled is the server itself. */
async function openDataPort(talk: LineConnection): Promise<number | undefined> {
  const isExtended = isIPv6(talk.address);
  const { code, lines } = await sendCommand(talk, isExtended ? "EPSV" : "PASV");
  if (code !== (isExtended ? 229 : 227)) return undefined;
  const text = lines.join(" ");
  const port = isExtended ? extendedPortIn(text) : portIn(text);
  if (port >= 1024 && port <= 65_535) return port;
  throw new ProtocolError("no data port that may be dialled");
}

/** RFC 959, 4.1.2. */
function portIn(text: string): number {
  const [, high, low] = /\d+,\d+,\d+,\d+,(\d{1,3}),(\d{1,3})/.exec(text) ?? [];
  return Number(high) * 256 + Number(low);
}

/** RFC 2428, 3. */
function extendedPortIn(text: string): number {
  const [, , port] = /\((.)\1\1(\d{1,5})\1\)/.exec(text) ?? [];
  return Number(port);
}
