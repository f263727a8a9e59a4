import { createServer } from "node:http";

const body = '{"success":true}';
const headers = { "content-type": "application/json", "content-length": body.length };

/** The bare baseline: takes the same request, keeps nothing, answers the same bytes. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, headers).end(body));
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === "object" ? address?.port : ""}\n`);
});
