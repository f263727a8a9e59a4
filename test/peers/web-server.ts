import { createServer } from "node:http";

import { portOf } from "./tcp.ts";

/** A web server whose answer can be changed. */
export async function webServer(): Promise<
  AsyncDisposable & { readonly url: string; status: number }
> {
  const server = createServer((_, response) => response.writeHead(web.status).end("hello"));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const port = portOf(server);
  const web = {
    url: `http://127.0.0.1:${port}/`,
    status: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return web;
}
