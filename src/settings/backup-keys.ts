import { z } from "zod";

import { Secret } from "../kit/crypto/secret.ts";
import { InvalidInput } from "../kit/errors.ts";

/** The value of the setting that stores backups unencrypted. */
const NOT_ENCRYPTED = "none";

/** The library is only loaded by what encrypts: these are the letters of its keys, which it checks itself. */
const publicKey = /^age1(?:[02-9ac-hj-np-z]{58}|pq1[02-9ac-hj-np-z]+)$/;
const secretKey = /^AGE-SECRET-KEY-(?:1[02-9AC-HJ-NP-Z]{58}|PQ-1[02-9AC-HJ-NP-Z]+)$/;

/** Public keys of age, separated by commas; empty if backups are explicitly unencrypted. */
export const recipientsSetting = z.string().transform((text, context): readonly string[] => {
  if (text.trim() === NOT_ENCRYPTED) return [];
  const recipients = text.split(",").map((part) => part.trim());
  const wrong = recipients.find((recipient) => !publicKey.test(recipient));
  if (wrong === undefined) return recipients;
  // A user who mixes up the two keys must not find the secret one in a log.
  const shown = wrong.toUpperCase().startsWith("AGE-SECRET-KEY-")
    ? "a secret key"
    : JSON.stringify(wrong);
  context.addIssue(
    `must be public keys of age, which begin with age1, separated by commas, or "${NOT_ENCRYPTED}", not ${shown}; "watchpost backup key" makes a pair`,
  );
  return z.NEVER;
});

/** A secret key of age. */
export const identitySetting = z.string().transform((text, context) => {
  if (secretKey.test(text.trim())) return new Secret(text.trim());
  context.addIssue("must be a secret key of age, which begins with AGE-SECRET-KEY-");
  return z.NEVER;
});

/** The secret keys of a file as age-keygen writes it: one a line, and comments. */
export function identitiesIn(text: string, path: string): readonly Secret[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const wrong = lines.findIndex((line) => !secretKey.test(line));
  if (lines.length === 0 || wrong !== -1)
    throw new InvalidInput(
      `${JSON.stringify(path)} must have secret keys of age, which begin with AGE-SECRET-KEY-, one on each line`,
    );
  return lines.map((line) => new Secret(line));
}
