import { z } from "zod";

import { parseLocationKey } from "../bus/location-key.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { messageOf } from "../kit/errors.ts";

/** Default port of a NATS server's clients. */
const NATS_PORT = "4222";

const natsUrls = z.string().transform((text, context) => {
  const urls = text.split(",").map((part) => URL.parse(part.trim()));
  const servers = urls.map((url) => url && `${url.hostname}:${url.port || NATS_PORT}`);
  const schemes = new Set(urls.map((url) => url?.protocol));
  const isPlain = urls.every((url) => url !== null && url.hostname !== "" && isBare(url));
  const [scheme] = schemes;
  if (isPlain && schemes.size === 1 && (scheme === "nats:" || scheme === "tls:"))
    return { servers: servers.filter((server) => server !== null), requiresTls: scheme === "tls:" };
  context.addIssue(
    "must be URLs such as tls://nats.example.com:4222, separated by commas, all with nats:// or all with tls://, without credentials and path",
  );
  return z.NEVER;
});

function isBare({ username, password, pathname, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === "" && (pathname === "" || pathname === "/");
}

const locationKey = z.string().transform((text, context) => {
  try {
    parseLocationKey(text);
    return new Secret(text);
  } catch (error) {
    context.addIssue(messageOf(error));
    return z.NEVER;
  }
});

/** How controllers and probes on several machines reach each other. */
export const natsSettings = {
  WATCHPOST_NATS_URL: natsUrls.optional().meta({
    fallback: "none",
    meaning:
      "The NATS server between the service and probes on other machines, such as `tls://nats.example.com:4222`, or several of a cluster, separated by commas. `tls://` refuses a server without TLS; `nats://` uses TLS where the server has it",
  }),
  WATCHPOST_NATS_NKEY: z
    .string()
    .regex(/^SU[A-Z2-7]{56}$/, {
      error: "must be the seed of an nkey of a user, which begins with SU",
    })
    .transform((text) => new Secret(text))
    .optional()
    .meta({
      fallback: "none",
      meaning:
        "The seed of the nkey with which this process signs in to the NATS server, as `watchpost nats-user create` or `watchpost location create` writes it",
    }),
  WATCHPOST_NATS_CA: z.string().min(1).optional().meta({
    fallback: "those of the system",
    meaning:
      "A file with the certificates, in PEM, that the certificate of the NATS server is verified with",
  }),
  WATCHPOST_NATS_CERT: z.string().min(1).optional().meta({
    fallback: "none",
    meaning:
      "A file with the certificate, in PEM, that this process shows to a NATS server that asks for one (`verify: true`); with WATCHPOST_NATS_CERT_KEY",
  }),
  WATCHPOST_NATS_CERT_KEY: z.string().min(1).optional().meta({
    fallback: "none",
    meaning: "The file with the private key of that certificate, in PEM",
  }),
  WATCHPOST_LOCATION_KEY: locationKey.optional().meta({
    fallback: "none",
    meaning:
      "The key of the location of `watchpost probe`, as `watchpost location create` writes it: its jobs are sealed with it",
  }),
};
