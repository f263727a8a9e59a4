import { createPrivateKey } from "node:crypto";

import { optional } from "../../schema/parameter.ts";
import { secret } from "../parameters/secrets.ts";
import { loadSsh2 } from "./load-ssh2.ts";

const LONGEST_KEY = 16_384;
/** To sign with one of twice that length would hold up the main thread for most of a second. */
const MOST_RSA_BITS = 8192;

/** What holds a passphrase has headers, or says so within. */
const ARMOUR =
  /^-----BEGIN (OPENSSH|RSA|EC) PRIVATE KEY-----\r?\n[\w+/=\r\n]+\n-----END \1 PRIVATE KEY-----$/;

export const privateKey = secret(
  optional(
    {
      description:
        "The private key to log in with in place of `password`, as OpenSSH or PEM has it, without a passphrase",
      jsonSchema: { type: "string", maxLength: LONGEST_KEY },
      expected: `must be a private key for SSH without a passphrase, of at most ${LONGEST_KEY} characters`,
      parse: (value) =>
        typeof value === "string" && value.length <= LONGEST_KEY && isUsable(value.trim())
          ? value
          : undefined,
    },
    undefined,
  ),
);

function isUsable(key: string): boolean {
  if (!ARMOUR.test(key)) return false;
  try {
    const parsed = loadSsh2().utils.parseKey(key);
    if (parsed instanceof Error) return false;
    const { asymmetricKeyDetails } = createPrivateKey(parsed.getPrivatePEM());
    return (asymmetricKeyDetails?.modulusLength ?? 0) <= MOST_RSA_BITS;
  } catch {
    // Whatever is wrong with it, it is no key.
    return false;
  }
}
