import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import { BadAnswer } from "../kit/bad-answer.ts";
import { defineCheckType } from "./check-type.ts";
import type { Talk } from "./kit/conversation.ts";
import { mailParameters, talkMail } from "./kit/mail.ts";
import type { MailParameters } from "./kit/mail.ts";
import { quoted } from "./kit/quoted.ts";
import { refusal } from "./kit/refusal.ts";

export const pop3Check = defineCheckType({
  type: "POP3",
  summary:
    "Connects to a POP3 server, logs in where it is given a user and a password, and passes when both succeed",
  target: "host",
  schema: z.object(mailParameters),
  run: (parameters, context) =>
    talkMail(parameters, context, {
      port: 110,
      securePort: 995,
      greet,
      askForTls: (talk) => ask(talk, "STLS"),
      serve: (talk) => logIn(talk, parameters),
      farewell: "QUIT",
    }),
});

async function greet(talk: Talk): Promise<Outcome | undefined> {
  const line = await talk.readLine();
  const agrees = isAgreement(line);
  if (agrees === undefined) throw new BadAnswer(`not a greeting: ${quoted(line)}`);
  return agrees ? undefined : refusal("Refused", line);
}

async function logIn(talk: Talk, { username, password }: MailParameters): Promise<Outcome> {
  if (username === undefined || password === undefined) return passed("Connected", "Connected");
  return (await ask(talk, `USER ${username}`)) && (await ask(talk, `PASS ${password}`))
    ? passed("Login success", "Login success")
    : failed("auth", "Login failure", "Login failed");
}

/** Whether the server agrees to the line. */
async function ask(talk: Talk, line: string): Promise<boolean> {
  talk.writeLine(line);
  const agrees = isAgreement(await talk.readLine());
  if (agrees === undefined) throw new BadAnswer("neither +OK nor -ERR");
  return agrees;
}

/** RFC 1939, 3; undefined where it is no answer. */
function isAgreement(line: string): boolean | undefined {
  const [word] = /^(?:\+OK|-ERR)(?= |$)/.exec(line) ?? [];
  return word === undefined ? undefined : word === "+OK";
}
