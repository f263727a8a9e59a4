import { createPrivateKey } from "node:crypto";

import { formHints } from "../../schema/form-parameter.ts";
import { optional } from "../../schema/parameter.ts";
import { secret } from "../parameters/secrets.ts";
import { loadSsh2 } from "./load-ssh2.ts";

const LONGEST_KEY = 16_384;
/** Signing with a key of twice that length would block the main thread for most of a second. */
const MOST_RSA_BITS = 8192;

/** A key with a passphrase has PEM headers, or says so in its body. */
const ARMOUR =
  /^-----BEGIN (OPENSSH|RSA|EC) PRIVATE KEY-----\r?\n[\w+/=\r\n]+\n-----END \1 PRIVATE KEY-----$/;

export const privateKey = secret(
  optional(
    {
      description:
        "The private key for the login in place of `password`, in the format of OpenSSH or PEM, without a passphrase",
      jsonSchema: { type: "string", maxLength: LONGEST_KEY },
      expected: `must be a private key for SSH without a passphrase, of at most ${LONGEST_KEY} characters`,
      parse: (value) => (typeof value === "string" && isUsable(value.trim()) ? value : undefined),
    },
    undefined,
  ).register(formHints, {
    title: { en: "Private key", de: "Privater Schlüssel" },
    help: {
      de: "Der private Schlüssel für die Anmeldung anstelle von `password`, im Format von OpenSSH oder PEM, ohne Passphrase",
    },
    advanced: true,
  }),
);

function isUsable(key: string): boolean {
  if (!ARMOUR.test(key)) return false;
  try {
    const parsed = loadSsh2().utils.parseKey(key);
    if (parsed instanceof Error) return false;
    const { asymmetricKeyDetails } = createPrivateKey(parsed.getPrivatePEM());
    return (asymmetricKeyDetails?.modulusLength ?? 0) <= MOST_RSA_BITS;
  } catch {
    // Any error means that it is not a usable key.
    return false;
  }
}
