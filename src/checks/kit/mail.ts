import type { z } from "zod";

import { failed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { judgeCertificate, mailWords } from "./certificate.ts";
import { converse } from "./conversation.ts";
import type { Talk } from "./conversation.ts";
import {
  host,
  ipv6,
  optionalPort,
  password,
  secure,
  username,
  verify,
  warningDays,
} from "./parameters.ts";

/** What every mail protocol can be told. */
export const mailParameters = {
  target: host,
  port: optionalPort,
  secure: secure(["starttls"]),
  verify,
  warningdays: warningDays,
  username,
  password,
  ipv6,
};

export type MailParameters = z.output<z.ZodObject<typeof mailParameters>>;

/** In what mail protocols differ, in the order in which it is said. */
export interface MailProtocol {
  readonly port: number;
  /** Where it speaks TLS from the first byte. */
  readonly securePort: number;
  /** Gives an outcome where nothing is left to be said after the greeting. */
  readonly greet: (talk: Talk) => Promise<Outcome | undefined>;
  /** Whether the server agrees. */
  readonly askForTls: (talk: Talk) => Promise<boolean>;
  readonly serve: (talk: Talk) => Promise<Outcome>;
  readonly farewell: string;
}

/** The talk with a mail server; in TLS its certificate is judged before anything else is said. */
export function talkMail(
  { target, port, secure, verify, warningdays, ipv6 }: MailParameters,
  context: RunContext,
  protocol: MailProtocol,
): Promise<Outcome> {
  const usualPort = secure === "ssl" ? protocol.securePort : protocol.port;
  const call = { host: target, port: port ?? usualPort, family: ipv6 ? 6 : undefined } as const;

  const enterTls = async (talk: Talk): Promise<Outcome | undefined> =>
    judgeCertificate(await talk.startTls(), {
      verify,
      warningDays: warningdays,
      words: mailWords,
      now: context.now(),
    });
  const turnToTls = async (talk: Talk): Promise<Outcome | undefined> =>
    (await protocol.askForTls(talk))
      ? enterTls(talk)
      : failed("tls", "TLS error", "TLS error: STARTTLS is refused");

  return converse(call, context, async (talk) => {
    const outcome =
      (secure === "ssl" ? await enterTls(talk) : undefined) ??
      (await protocol.greet(talk)) ??
      (secure === "starttls" ? await turnToTls(talk) : undefined) ??
      (await protocol.serve(talk));
    talk.writeLine(protocol.farewell);
    return outcome;
  });
}
