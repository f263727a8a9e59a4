import { createServer } from "node:http";
import { constants, setPriority } from "node:os";

const body = '{"success":true}';
const headers = { "content-type": "application/json", "content-length": body.length };

// A real target would use another machine, so the measured program has priority.
if (process.argv[3] === "target") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** The bare baseline: takes the same request, keeps nothing, answers the same bytes. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, headers).end(body));
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === "object" ? address?.port : ""}\n`);
});
