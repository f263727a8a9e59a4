import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { host, ipv6, portOr } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

export const rdpCheck = defineCheckType({
  type: "RDP",
  summary: "Connects to a remote desktop, and passes when it confirms the connection",
  target: "host",
  schema: z.object({ target: host, port: portOr(3389), ipv6 }),
  run: unbuilt("RDP"),
});
