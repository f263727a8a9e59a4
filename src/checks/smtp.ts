import { hostname } from "node:os";

import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import { defineCheckType } from "./check-type.ts";
import type { Talk } from "./kit/conversation.ts";
import { mailParameters, talkMail } from "./kit/mail.ts";
import type { MailParameters } from "./kit/mail.ts";
import { email, invert } from "./kit/parameters.ts";
import { refusal } from "./kit/refusal.ts";
import { ask, readReply } from "./kit/reply.ts";
import type { Reply } from "./kit/reply.ts";

export const smtpCheck = defineCheckType({
  type: "SMTP",
  summary:
    "Connects to a mail server, logs in and names a recipient where it is given them, and passes when all succeed",
  target: "host",
  schema: z.object({ ...mailParameters, email, invert }),
  run: (parameters, context) =>
    talkMail(parameters, context, {
      port: 25,
      securePort: 465,
      greet,
      askForTls,
      serve: (talk) => serve(talk, parameters),
      farewell: "QUIT",
    }),
});

/** RFC 5321, 4.1.1.1 wants a name with a domain; many servers refuse all else. */
const OWN_NAME = hostname().includes(".") ? hostname() : "localhost.localdomain";

async function greet(talk: Talk): Promise<Outcome | undefined> {
  const reply = await readReply(talk);
  return reply.code === 220 ? undefined : refusalOf(reply);
}

async function askForTls(talk: Talk): Promise<boolean> {
  await sayHello(talk);
  return (await ask(talk, "STARTTLS")).code === 220;
}

interface Parameters extends MailParameters {
  readonly email: string | undefined;
  readonly invert: boolean;
}

async function serve(
  talk: Talk,
  { secure, username, password, email, invert }: Parameters,
): Promise<Outcome> {
  const hello = await sayHello(talk);
  if (hello.code !== 250) return refusalOf(hello);
  let outcome = passed("220", secure === "starttls" ? "STARTTLS connected" : "Connected");
  if (username !== undefined && password !== undefined) {
    const login = await logIn(talk, { mechanisms: mechanismsOf(hello), username, password });
    if (login === undefined)
      return failed("auth", "Login failed", "Login failed: neither PLAIN nor LOGIN is offered");
    const code = String(login.code);
    if (login.code !== 235) return failed("auth", code, "Login failed");
    outcome = passed(code, `${outcome.message}, auth success`);
  }
  return email === undefined ? outcome : nameRecipient(talk, { email, invert });
}

/** The extensions are in the reply to EHLO; who does not know it is greeted the old way. */
async function sayHello(talk: Talk): Promise<Reply> {
  const reply = await ask(talk, `EHLO ${OWN_NAME}`);
  return reply.code >= 500 ? ask(talk, `HELO ${OWN_NAME}`) : reply;
}

/** Some servers write `AUTH=`, as a draft of RFC 4954 did. */
function mechanismsOf({ lines }: Reply): readonly string[] {
  const offer = lines.find((line) => /^AUTH[ =]/i.test(line)) ?? "";
  return offer.toUpperCase().split(/[ =]/);
}

interface Login {
  readonly mechanisms: readonly string[];
  readonly username: string;
  readonly password: string;
}

/** The last reply; undefined where there is no way to log in. */
async function logIn(
  talk: Talk,
  { mechanisms, username, password }: Login,
): Promise<Reply | undefined> {
  if (mechanisms.includes("PLAIN"))
    return ask(talk, `AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
  if (!mechanisms.includes("LOGIN")) return undefined;
  let reply = await ask(talk, "AUTH LOGIN");
  for (const answer of [username, password])
    if (reply.code === 334) reply = await ask(talk, base64(answer));
  return reply;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Tries it up to where the mail itself would follow. */
async function nameRecipient(
  talk: Talk,
  { email, invert }: { readonly email: string; readonly invert: boolean },
): Promise<Outcome> {
  // RFC 6531, 3.4: an address beyond ASCII is announced; who cannot take it refuses at once.
  const extension = /^[\x20-\x7e]*$/.test(email) ? "" : " SMTPUTF8";
  const sender = await ask(talk, `MAIL FROM:<>${extension}`);
  if (sender.code !== 250)
    return failed("status", String(sender.code), "The empty sender was rejected");
  const { code } = await ask(talk, `RCPT TO:<${email}>`);
  // RFC 5321, 3.8: that is the server's end, and says nothing of the address.
  if (code === 421) return failed("status", "421", "The server closes");
  const isAccepted = code === 250 || code === 251;
  const message = `Email for address ${email} was ${isAccepted ? "accepted" : "rejected"}`;
  return isAccepted === invert
    ? failed("mismatch", String(code), message)
    : passed(String(code), message);
}

function refusalOf({ code, lines }: Reply): Outcome {
  return refusal(String(code), `${code} ${lines[0]}`);
}
