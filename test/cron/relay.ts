import { createServer, request as httpRequest } from "node:http";

import { listen } from "../peers/tcp.ts";

const EVERY = 3;

/** Proxy between a machine and Watchpost that answers every third request itself, with 503. */
export function flakyRelay(base: string) {
  const { hostname, port } = new URL(base);
  let requests = 0;
  return listen(
    createServer((request, response) => {
      requests += 1;
      if (requests % EVERY === 0) {
        request.resume();
        response.writeHead(503).end();
        return;
      }
      const { method, url: path, headers } = request;
      const onward = httpRequest({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.writeHead(502).end());
      request.pipe(onward);
    }),
  );
}
