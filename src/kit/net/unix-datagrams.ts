import { closeSync } from "node:fs";
import { getSystemErrorName } from "node:util";

import type { KoffiFunc } from "koffi";

/** Sends datagrams to one Unix socket. */
export interface UnixDatagrams extends Disposable {
  /** Returns false if the queue of the receiver is full; throws the system's other errors. Never waits. */
  readonly send: (message: string) => boolean;
}

/** Constants of Linux. */
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;
/** Bytes of the path in a socket address, the final zero included. */
const PATH_BYTES = 108;

type OpenSocket = KoffiFunc<(family: number, type: number, protocol: number) => number>;
type SendTo = KoffiFunc<
  (
    ...call: [
      fd: number,
      message: Uint8Array,
      length: number,
      flags: number,
      address: Uint8Array,
      addressLength: number,
    ]
  ) => number
>;

/** Opens a socket for datagrams to a path, or to an abstract name if it begins with `@`. Linux only: Node has no such sockets. */
export async function openUnixDatagrams(path: string): Promise<UnixDatagrams> {
  const address = unixAddress(path);
  const { default: koffi } = await import("koffi");
  const libc = koffi.load(null);
  const socket: OpenSocket = libc.func("int socket(int, int, int)");
  const sendto: SendTo = libc.func("intptr_t sendto(int, void *, size_t, int, void *, uint32_t)");
  const failure = (syscall: string) => {
    const code = getSystemErrorName(-koffi.errno());
    return Object.assign(new Error(`${syscall} ${path}: ${code}`), { code, syscall });
  };

  const fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd === -1) throw failure("socket");
  return {
    send(message) {
      const bytes = Buffer.from(message);
      if (sendto(fd, bytes, bytes.length, MSG_NOSIGNAL, address, address.length) !== -1)
        return true;
      const error = failure("sendto");
      if (error.code === "EAGAIN") return false;
      throw error;
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** The layout of `sockaddr_un`. The length of an abstract name is that of the address; a path ends with a zero. */
function unixAddress(path: string): Uint8Array {
  const isAbstract = path.startsWith("@");
  if (!isAbstract && !path.startsWith("/"))
    throw new Error(`${JSON.stringify(path)} is neither an absolute path nor a name after "@"`);
  const name = Buffer.from(isAbstract ? `\0${path.slice(1)}` : `${path}\0`);
  if (name.length > PATH_BYTES) throw new Error(`${JSON.stringify(path)} is too long for a socket`);
  return Buffer.concat([new Uint8Array(Uint16Array.of(AF_UNIX).buffer), name]);
}
