import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { message } from "./kit/pairs.ts";
import { contentString, invert, ipv6, webSocketUrl } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

export const webSocketCheck = defineCheckType({
  type: "WEBSOCKET",
  summary:
    "Opens a WebSocket, sends the message if there is one, and passes when the text is in the first that comes back",
  target: "url",
  schema: z.object({
    target: webSocketUrl,
    data: message,
    contentstring: contentString,
    invert,
    ipv6,
  }),
  run: unbuilt("WEBSOCKET"),
});
