import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { defineCheckType } from "../check-type.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer, type MailParameters } from "./mail-protocol.ts";
import { email } from "../parameters/parameters.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";

export const imap4Check = defineCheckType({
  type: "IMAP4",
  title: { en: "IMAP server", de: "IMAP-Server" },
  group: "mail",
  summary: {
    en: "Connects to an IMAP server, logs in if it has a user name and a password, and passes if both succeed",
    de: "Verbindet sich mit einem IMAP-Server, meldet sich mit Benutzernamen und Passwort dort an, und besteht, wenn beides gelingt",
  },
  target: "host",
  recognition: { ports: { 143: {}, 993: { secure: "ssl" } } },
  example: {
    target: "mail.example.com",
    port: 993,
    secure: "ssl",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret",
    email: "ann@example.com",
    ipv6: false,
  },
  schema: z.object({ ...mailParameters, email }),
  run: (parameters, context) =>
    checkMailServer(parameters, context, {
      port: 143,
      securePort: 993,
      readGreeting: (connection) => readGreeting(connection, parameters),
      requestTls: async (connection) => (await ask(connection, "a", "STARTTLS")).condition === "OK",
      runSession: (connection) => logIn(connection, parameters),
      quit: "d LOGOUT",
    }),
});

interface Parameters extends MailParameters {
  readonly email: string | undefined;
}

async function readGreeting(
  connection: LineConnection,
  { secure }: Parameters,
): Promise<Outcome | undefined> {
  const line = await connection.readLine();
  const [, condition = ""] = /^\* (OK|PREAUTH|BYE)(?: |$)/i.exec(line) ?? [];
  switch (condition.toUpperCase()) {
    case "OK":
      return undefined;
    case "PREAUTH":
      // RFC 9051, 7.1.4: STARTTLS is not possible after PREAUTH, which an attacker may have injected to prevent it.
      return secure === "starttls"
        ? failed("tls", "TLS error", "TLS error: logged in before STARTTLS")
        : passed("Connected", "Connected");
    case "BYE":
      return refusal("Refused", line);
    default:
      throw new ProtocolError(`not a greeting: ${excerpt(line)}`);
  }
}

/** Codes for a failed login (RFC 5530, 3). The rest of the server's text may repeat the password, so only these are shown. */
const LOGIN_CODE =
  /^\[(AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|CONTACTADMIN|EXPIRED|PRIVACYREQUIRED|UNAVAILABLE)\]/;

async function logIn(
  connection: LineConnection,
  { username, email, password }: Parameters,
): Promise<Outcome> {
  const user = username ?? email;
  if (user === undefined || password === undefined) return passed("Connected", "Connected");
  const { untagged } = await ask(connection, "b", "CAPABILITY");
  if (untagged.some((line) => /^\* CAPABILITY .*\bLOGINDISABLED\b/i.test(line)))
    return failed("auth", "PRIVACYREQUIRED", "Login failed: the server wants TLS before a login");
  const { condition, text } = await sendLogin(connection, [user, password]);
  if (condition === "OK") return passed("Login success", "Login success");
  const [, code = "Login failed"] = LOGIN_CODE.exec(text.toUpperCase()) ?? [];
  return failed("auth", code, "Login failed");
}

/** RFC 9051, 4.3: text beyond ASCII is sent as a literal, after the server's continuation request. */
async function sendLogin(connection: LineConnection, values: readonly string[]): Promise<Answer> {
  const tag = "c";
  let line = `${tag} LOGIN`;
  for (const value of values) {
    if (/^[\x20-\x7e]*$/.test(value)) {
      line += ` "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
      continue;
    }
    connection.writeLine(`${line} {${Buffer.byteLength(value)}}`);
    const answer = await readAnswer(connection, tag);
    if (answer.condition !== "+") return answer;
    line = value;
  }
  connection.writeLine(line);
  return readAnswer(connection, tag);
}

interface Answer {
  /** OK, NO, BAD, or + for a continuation request. */
  readonly condition: string;
  readonly text: string;
  /** The untagged responses before it. */
  readonly untagged: readonly string[];
}

function ask(connection: LineConnection, tag: string, command: string): Promise<Answer> {
  connection.writeLine(`${tag} ${command}`);
  return readAnswer(connection, tag);
}

async function readAnswer(connection: LineConnection, tag: string): Promise<Answer> {
  const answer = new RegExp(`^(?:(\\+)|${tag} (OK|NO|BAD))(?: (.*))?$`, "is");
  const untagged: string[] = [];
  let line = await connection.readLine();
  for (; line.startsWith("* "); line = await connection.readLine()) untagged.push(line);
  const [, wait, condition = wait, text = ""] = answer.exec(line) ?? [];
  if (condition === undefined) throw new ProtocolError("not an answer to the command");
  return { condition: condition.toUpperCase(), text, untagged };
}
