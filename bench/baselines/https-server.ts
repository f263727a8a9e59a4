import { createServer } from "node:https";
import { constants, setPriority } from "node:os";

import { selfSigned } from "../../test/peers/certificates.ts";

// The measured program has priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Answers each request over TLS with a few bytes. */
const server = createServer(selfSigned(), (_, response) => response.end("ok"));
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === "object" ? address?.port : ""}\n`);
});
