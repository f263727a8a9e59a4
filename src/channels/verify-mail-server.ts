import { createTransport } from "nodemailer";

import type { Secret } from "../kit/crypto/secret.ts";
import { messageOf } from "../kit/errors.ts";

const ANSWER_MS = 10_000;

/** Connects and signs in without sending a mail; returns the problem, or undefined. */
export async function verifyMailServer(url: Secret): Promise<string | undefined> {
  const transport = createTransport({
    url: url.reveal(),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    dnsTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    transport.close();
  }
}
