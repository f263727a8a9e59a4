import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { host, ipv6 } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

export const pingCheck = defineCheckType({
  type: "PING",
  summary: "Sends an ICMP echo, and passes when a reply comes",
  target: "host",
  schema: z.object({ target: host, ipv6 }),
  run: unbuilt("PING"),
});
