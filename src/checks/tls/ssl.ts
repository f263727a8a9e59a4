import { z } from "zod";

import { passed } from "../../domain/run/outcome.ts";
import { defineCheckType } from "../check-type.ts";
import { judgeCertificate, sslMessages } from "./certificate-rules.ts";
import { withLineConnection } from "../net/line-connection.ts";
import {
  hostOrUrl,
  ipv6,
  optionalPort,
  serverName,
  warningDays,
} from "../parameters/parameters.ts";

const HTTPS_PORT = 443;

export const sslCheck = defineCheckType({
  type: "SSL",
  title: { en: "TLS certificate", de: "TLS-Zertifikat" },
  group: "web",
  summary: {
    en: "Reads the certificate of a server, and passes if it is trusted, matches the name, and is valid for long enough",
    de: "Liest das Zertifikat eines Servers, und besteht, wenn es vertrauenswürdig ist, zum Namen passt und lange genug gilt",
  },
  target: "host",
  example: {
    target: "www.example.com",
    port: 443,
    servername: "example.com",
    warningdays: 14,
    ipv6: false,
  },
  schema: z.object({
    target: hostOrUrl,
    port: optionalPort,
    servername: serverName,
    warningdays: warningDays,
    ipv6,
  }),
  run: ({ target, port, servername, warningdays, ipv6 }, context) =>
    withLineConnection(
      {
        host: target.host,
        port: target.port ?? port ?? HTTPS_PORT,
        family: ipv6 ? 6 : undefined,
        servername,
      },
      context,
      async (connection) =>
        judgeCertificate(await connection.startTls(), {
          verify: true,
          warningDays: warningdays,
          messages: sslMessages,
          now: context.now(),
        }) ?? passed("valid", "Valid cert"),
    ),
});
