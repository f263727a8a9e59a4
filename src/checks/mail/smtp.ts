import { hostname } from "node:os";

import { z } from "zod";

import { failed, passed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { defineCheckType } from "../check-type.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer } from "./mail-protocol.ts";
import type { MailParameters } from "./mail-protocol.ts";
import { email, invert } from "../parameters/parameters.ts";
import { refusal } from "../outcome/refusal.ts";
import { sendCommand, readReply } from "../net/reply.ts";
import type { Reply } from "../net/reply.ts";

export const smtpCheck = defineCheckType({
  type: "SMTP",
  summary:
    "Connects to a mail server, logs in and names a recipient where it is given them, and passes when all succeed",
  target: "host",
  example: {
    target: "mx.example.com",
    port: 587,
    secure: "starttls",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret",
    email: "bob@example.com",
    invert: false,
    ipv6: false,
  },
  schema: z.object({ ...mailParameters, email, invert }),
  run: (parameters, context) =>
    checkMailServer(parameters, context, {
      port: 25,
      securePort: 465,
      readGreeting,
      requestTls,
      runSession: (talk) => serve(talk, parameters),
      quit: "QUIT",
    }),
});

/** RFC 5321, 4.1.1.1 wants a name with a domain; many servers refuse all else. */
const OWN_NAME = hostname().includes(".") ? hostname() : "localhost.localdomain";

async function readGreeting(talk: LineConnection): Promise<Outcome | undefined> {
  const reply = await readReply(talk);
  return reply.code === 220 ? undefined : refusalOf(reply);
}

async function requestTls(talk: LineConnection): Promise<boolean> {
  await sayHello(talk);
  return (await sendCommand(talk, "STARTTLS")).code === 220;
}

interface Parameters extends MailParameters {
  readonly email: string | undefined;
  readonly invert: boolean;
}

async function serve(
  talk: LineConnection,
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
async function sayHello(talk: LineConnection): Promise<Reply> {
  const reply = await sendCommand(talk, `EHLO ${OWN_NAME}`);
  return reply.code >= 500 ? sendCommand(talk, `HELO ${OWN_NAME}`) : reply;
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
  talk: LineConnection,
  { mechanisms, username, password }: Login,
): Promise<Reply | undefined> {
  if (mechanisms.includes("PLAIN"))
    return sendCommand(talk, `AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
  if (!mechanisms.includes("LOGIN")) return undefined;
  let reply = await sendCommand(talk, "AUTH LOGIN");
  for (const answer of [username, password])
    if (reply.code === 334) reply = await sendCommand(talk, base64(answer));
  return reply;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Tries it up to where the mail itself would follow. */
async function nameRecipient(
  talk: LineConnection,
  { email, invert }: { readonly email: string; readonly invert: boolean },
): Promise<Outcome> {
  // RFC 6531, 3.4: an address beyond ASCII is announced; who cannot take it refuses at once.
  const extension = /^[\x20-\x7e]*$/.test(email) ? "" : " SMTPUTF8";
  const sender = await sendCommand(talk, `MAIL FROM:<>${extension}`);
  if (sender.code !== 250)
    return failed("status", String(sender.code), "The empty sender was rejected");
  const { code } = await sendCommand(talk, `RCPT TO:<${email}>`);
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
