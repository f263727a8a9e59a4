import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { text } from "./kit/parameter.ts";
import { contentString, host, invert, ipv6, password, portOr, username } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

const LONGEST_KEY = 16_384;

export const sshCheck = defineCheckType({
  type: "SSH",
  summary:
    "Connects to an SSH server, logs in where it is given a user, and passes when both succeed and the text is in what it then says",
  target: "host",
  schema: z.object({
    target: host,
    port: portOr(22),
    username,
    password,
    sshkey: text("The private key to log in with", LONGEST_KEY),
    contentstring: contentString,
    invert,
    ipv6,
  }),
  run: unbuilt("SSH"),
});
