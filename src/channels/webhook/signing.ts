import { createHmac } from "node:crypto";

import type { Sealer } from "../../kit/crypto/seal.ts";

interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: string;
}

/** Signs webhooks by the scheme of Standard Webhooks, with a key for each address. */
export interface Signing {
  readonly secretOf: (addressId: string) => string;
  readonly signatureOf: (addressId: string, signed: Signed) => string;
}

export function createSigning({ deriveKey }: Pick<Sealer, "deriveKey">): Signing {
  const keyOf = (addressId: string): Uint8Array => deriveKey(`webhook ${addressId}`);
  return {
    secretOf: (addressId) => `whsec_${Buffer.from(keyOf(addressId)).toString("base64")}`,
    signatureOf(addressId, { id, timestamp, body }) {
      const hmac = createHmac("sha256", keyOf(addressId));
      return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    },
  };
}
