import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/** The bare baseline: takes any request, and sends the bytes of a file as they are. */
const [, , port = "0", file = ""] = process.argv;
const body = readFileSync(file);
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-encoding": "br",
  "content-length": body.length,
};
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, headers).end(body));
});
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === "object" ? address?.port : ""}\n`);
});
