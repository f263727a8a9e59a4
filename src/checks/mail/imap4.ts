import { z } from "zod";

import { failed, passed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { defineCheckType } from "../check-type.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer } from "./mail-protocol.ts";
import type { MailParameters } from "./mail-protocol.ts";
import { email } from "../parameters/parameters.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";

export const imap4Check = defineCheckType({
  type: "IMAP4",
  summary:
    "Connects to an IMAP server, logs in where it is given a user and a password, and passes when both succeed",
  target: "host",
  example: {
    target: "mail.example.com",
    port: 993,
    secure: "ssl",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret",
    email: "alice@example.com",
    ipv6: false,
  },
  schema: z.object({ ...mailParameters, email }),
  run: (parameters, context) =>
    checkMailServer(parameters, context, {
      port: 143,
      securePort: 993,
      readGreeting: (talk) => greet(talk, parameters),
      requestTls: async (talk) => (await ask(talk, "a", "STARTTLS")).condition === "OK",
      runSession: (talk) => logIn(talk, parameters),
      quit: "d LOGOUT",
    }),
});

interface Parameters extends MailParameters {
  readonly email: string | undefined;
}

async function greet(talk: LineConnection, { secure }: Parameters): Promise<Outcome | undefined> {
  const line = await talk.readLine();
  const [, condition = ""] = /^\* (OK|PREAUTH|BYE)(?: |$)/i.exec(line) ?? [];
  switch (condition.toUpperCase()) {
    case "OK":
      return undefined;
    case "PREAUTH":
      // RFC 9051, 7.1.4: it is too late for TLS then, which somebody in between may have wanted.
      return secure === "starttls"
        ? failed("tls", "TLS error", "TLS error: logged in before STARTTLS")
        : passed("Connected", "Connected");
    case "BYE":
      return refusal("Refused", line);
    default:
      throw new ProtocolError(`not a greeting: ${excerpt(line)}`);
  }
}

/** Codes that say why a login fails (RFC 5530, 3); other words of the server may repeat the password. */
const LOGIN_CODE =
  /^\[(AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|CONTACTADMIN|EXPIRED|PRIVACYREQUIRED|UNAVAILABLE)\]/;

async function logIn(
  talk: LineConnection,
  { username, email, password }: Parameters,
): Promise<Outcome> {
  const user = username ?? email;
  if (user === undefined || password === undefined) return passed("Connected", "Connected");
  const { untagged } = await ask(talk, "b", "CAPABILITY");
  if (untagged.some((line) => /^\* CAPABILITY .*\bLOGINDISABLED\b/i.test(line)))
    return failed("auth", "PRIVACYREQUIRED", "Login failed: the server wants TLS before a login");
  const { condition, text } = await sendLogin(talk, [user, password]);
  if (condition === "OK") return passed("Login success", "Login success");
  const [, code = "Login failed"] = LOGIN_CODE.exec(text.toUpperCase()) ?? [];
  return failed("auth", code, "Login failed");
}

/** RFC 9051, 4.3: what is not ASCII goes as a literal, once the server asks for it. */
async function sendLogin(talk: LineConnection, values: readonly string[]): Promise<Answer> {
  const tag = "c";
  let line = `${tag} LOGIN`;
  for (const value of values) {
    if (/^[\x20-\x7e]*$/.test(value)) {
      line += ` "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
      continue;
    }
    talk.writeLine(`${line} {${Buffer.byteLength(value)}}`);
    const answer = await readAnswer(talk, tag);
    if (answer.condition !== "+") return answer;
    line = value;
  }
  talk.writeLine(line);
  return readAnswer(talk, tag);
}

interface Answer {
  /** OK, NO, BAD, or + where the server waits for more. */
  readonly condition: string;
  readonly text: string;
  /** What came before it and answers nothing. */
  readonly untagged: readonly string[];
}

function ask(talk: LineConnection, tag: string, command: string): Promise<Answer> {
  talk.writeLine(`${tag} ${command}`);
  return readAnswer(talk, tag);
}

async function readAnswer(talk: LineConnection, tag: string): Promise<Answer> {
  const answer = new RegExp(`^(?:(\\+)|${tag} (OK|NO|BAD))(?: (.*))?$`, "is");
  const untagged: string[] = [];
  let line = await talk.readLine();
  for (; line.startsWith("* "); line = await talk.readLine()) untagged.push(line);
  const [, wait, condition = wait, text = ""] = answer.exec(line) ?? [];
  if (condition === undefined) throw new ProtocolError("not an answer to the command");
  return { condition: condition.toUpperCase(), text, untagged };
}
