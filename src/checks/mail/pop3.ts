import { z } from "zod";

import { failed, passed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { defineCheckType } from "../check-type.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer } from "./mail-protocol.ts";
import type { MailParameters } from "./mail-protocol.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";

export const pop3Check = defineCheckType({
  type: "POP3",
  summary:
    "Connects to a POP3 server, logs in where it is given a user and a password, and passes when both succeed",
  target: "host",
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
      requestTls: (talk) => ask(talk, "STLS"),
      runSession: (talk) => logIn(talk, parameters),
      quit: "QUIT",
    }),
});

async function readGreeting(talk: LineConnection): Promise<Outcome | undefined> {
  const line = await talk.readLine();
  const agrees = isAgreement(line);
  if (agrees === undefined) throw new ProtocolError(`not a greeting: ${excerpt(line)}`);
  return agrees ? undefined : refusal("Refused", line);
}

async function logIn(
  talk: LineConnection,
  { username, password }: MailParameters,
): Promise<Outcome> {
  if (username === undefined || password === undefined) return passed("Connected", "Connected");
  return (await ask(talk, `USER ${username}`)) && (await ask(talk, `PASS ${password}`))
    ? passed("Login success", "Login success")
    : failed("auth", "Login failure", "Login failed");
}

/** Whether the server agrees to the line. */
async function ask(talk: LineConnection, line: string): Promise<boolean> {
  talk.writeLine(line);
  const agrees = isAgreement(await talk.readLine());
  if (agrees === undefined) throw new ProtocolError("neither +OK nor -ERR");
  return agrees;
}

/** RFC 1939, 3; undefined where it is no answer. */
function isAgreement(line: string): boolean | undefined {
  const [word] = /^(?:\+OK|-ERR)(?= |$)/.exec(line) ?? [];
  return word === undefined ? undefined : word === "+OK";
}
