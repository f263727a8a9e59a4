import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { defineCheckType } from "../check-type.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer, type MailParameters } from "./mail-protocol.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";

export const pop3Check = defineCheckType({
  type: "POP3",
  title: { en: "POP3 server", de: "POP3-Server" },
  group: "mail",
  summary: {
    en: "Connects to a POP3 server, logs in if it has a user name and a password, and passes if both succeed",
    de: "Verbindet sich mit einem POP3-Server, meldet sich mit Benutzernamen und Passwort dort an, und besteht, wenn beides gelingt",
  },
  target: "host",
  recognition: { ports: { 110: {}, 995: { secure: "ssl" } } },
  example: {
    target: "mail.example.com",
    port: 995,
    secure: "ssl",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret",
    ipv6: false,
  },
  schema: z.object(mailParameters),
  run: (parameters, context) =>
    checkMailServer(parameters, context, {
      port: 110,
      securePort: 995,
      readGreeting,
      requestTls: (connection) => ask(connection, "STLS"),
      runSession: (connection) => logIn(connection, parameters),
      quit: "QUIT",
    }),
});

async function readGreeting(connection: LineConnection): Promise<Outcome | undefined> {
  const line = await connection.readLine();
  const isOk = isOkReply(line);
  if (isOk === undefined) throw new ProtocolError(`not a greeting: ${excerpt(line)}`);
  return isOk ? undefined : refusal("Refused", line);
}

async function logIn(
  connection: LineConnection,
  { username, password }: MailParameters,
): Promise<Outcome> {
  if (username === undefined || password === undefined) return passed("Connected", "Connected");
  return (await ask(connection, `USER ${username}`)) && (await ask(connection, `PASS ${password}`))
    ? passed("Login success", "Login success")
    : failed("auth", "Login failure", "Login failed");
}

/** Sends a command; true if the reply is +OK. */
async function ask(connection: LineConnection, line: string): Promise<boolean> {
  connection.writeLine(line);
  const isOk = isOkReply(await connection.readLine());
  if (isOk === undefined) throw new ProtocolError("neither +OK nor -ERR");
  return isOk;
}

/** RFC 1939, 3; undefined if the line is not a reply. */
function isOkReply(line: string): boolean | undefined {
  const [word] = /^(?:\+OK|-ERR)(?= |$)/.exec(line) ?? [];
  return word === undefined ? undefined : word === "+OK";
}
