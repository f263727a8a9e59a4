import { createServer } from "node:http";

/** Answers every request that comes over a link; a program of its own, because it runs in the network of another machine. */
createServer((_, response) => response.end("ok")).listen(Number(process.argv[2]), () =>
  process.stdout.write("listens\n"),
);
