import { once } from "node:events";
import { BlockList, createServer, type ListenOptions, type Server } from "node:net";

import { codeOf } from "../../kit/errors.ts";

/** Sockets that listen at one address for one server, each with its own queue. */
export interface ListeningSockets {
  /** Address at which the server itself must listen in the same way. */
  readonly place: Place & { readonly backlog: number; readonly reusePort: boolean };
  /** Resolves when all connections are closed that were accepted here. */
  readonly close: () => Promise<void>;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * libuv accepts one connection of a listening socket in a turn of the event loop. Turns of 10 ms are a hundred a second, and more fill the queue of
 * the system, which then drops what comes: clients wait for seconds, or a minute.
 */
// guard: connections accepted in a turn = 2
const SOCKETS = 32;
/** Backlog of each socket, unless `net.core.somaxconn` is lower. Node.js requests 511, which a client that opens a thousand a second fills in half a second. */
const BACKLOG = 4096;
/** Errors of systems that do not share a port among sockets. */
const NOT_SHARED = new Set(["ENOTSUP", "ENOSYS", "EINVAL"]);

interface Listening extends Place {
  /** Called for each connection with its client address; true closes it before anything is created for it. */
  readonly refuses?: (address: string) => boolean;
}

/** Opens additional listening sockets, so that a server accepts several connections in a turn. Returns none if the system does not support them. */
export async function openListeningSockets(
  server: Server,
  { host, port, refuses = () => false }: Listening,
): Promise<ListeningSockets> {
  const blockList = new Refusals(refuses);
  // Sets an option that node:http does not pass on.
  Object.assign(server, { blockList });
  if (port !== 0) await assertFree({ host, port });
  const sockets: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(sockets.map(closeServer));
  };
  const place = { host, port, backlog: BACKLOG, reusePort: true };
  try {
    while (sockets.length < SOCKETS - 1) {
      const at = sockets[0] === undefined ? port : portOf(sockets[0]);
      sockets.push(await acceptFor({ server, blockList }, { ...place, port: at }));
    }
  } catch (error) {
    await close();
    if (!NOT_SHARED.has(codeOf(error) ?? "")) throw error;
    return { place: { ...place, reusePort: false }, close: async () => {} };
  }
  return { place: { ...place, port: portOf(sockets[0]) }, close };
}

/** node:net consults this for each accepted connection before it creates a socket. */
class Refusals extends BlockList {
  readonly #refuses: (address: string) => boolean;

  constructor(refuses: (address: string) => boolean) {
    super();
    this.#refuses = refuses;
  }

  override check(address: unknown): boolean {
    return typeof address === "string" && this.#refuses(address);
  }
}

/** Sockets that share a port do not detect another process that shares it too. */
async function assertFree(place: Place): Promise<void> {
  await closeServer(await listen(createServer(), { ...place, exclusive: true }));
}

/** Accepts connections for the other, as that does itself. */
async function acceptFor(
  { server, blockList }: { readonly server: Server; readonly blockList: BlockList },
  options: ListenOptions,
): Promise<Server> {
  const accept = createServer({ allowHalfOpen: true, noDelay: true, blockList });
  accept.on("connection", (socket) => server.emit("connection", socket));
  await listen(accept, options);
  return accept.on("error", (error) => server.emit("error", error));
}

async function listen(server: Server, options: ListenOptions): Promise<Server> {
  server.listen(options);
  await once(server, "listening");
  return server;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
