import { createHash, generateKeyPairSync, sign } from "node:crypto";

import { z } from "zod";

/** Data that a browser passes to be signed. */
export interface Asked {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  readonly counter: number;
}

/** A passkey in memory, which signs for whatever it is asked (WebAuthn level 2, section 6.3.3). */
export interface SoftwareAuthenticator {
  readonly id: string;
  /** In the format of COSE: EC2, ES256, P-256. */
  readonly publicKey: Uint8Array;
  /** Returns the data that the page sends. */
  readonly signed: (asked: Asked) => string;
}

const USER_PRESENT = 1;
const coordinates = z.object({ x: z.string(), y: z.string() });

export function softwareAuthenticator(id: string): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = coordinates.parse(publicKey.export({ format: "jwk" }));
  const cose = [
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ];
  return {
    id,
    publicKey: new Uint8Array(Buffer.concat(cose)),
    signed({ challenge, origin, rpId, counter }) {
      const client = JSON.stringify({ type: "webauthn.get", challenge, origin });
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter);
      const data = Buffer.concat([hashOf(rpId), Buffer.from([USER_PRESENT]), count]);
      const signature = sign("sha256", Buffer.concat([data, hashOf(client)]), privateKey);
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: Buffer.from(client).toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      });
    },
  };
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
