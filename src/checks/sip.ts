import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { host, ipv6, optionalPort, transport } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

export const sipCheck = defineCheckType({
  type: "SIP",
  summary: "Asks a SIP server for its options, and passes when it answers with a status up to 499",
  target: "host",
  schema: z.object({
    target: host,
    port: optionalPort,
    transport: transport(["udp", "tcp", "tls"]),
    ipv6,
  }),
  run: unbuilt("SIP"),
});
