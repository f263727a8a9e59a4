import { closeSync } from "node:fs";
import { getSystemErrorName } from "node:util";

import koffi, { type KoffiFunc } from "koffi";

/** The socket of a service manager, where services say how they are. */
export interface NotifySocket extends Disposable {
  /** Messages so far, each as its lines. */
  readonly received: () => readonly (readonly string[])[];
}

const AF_UNIX = 1;
/** SOCK_DGRAM and SOCK_NONBLOCK of Linux. */
const DATAGRAMS = 2 | 0o4000;
const MAX = 4096;

type OpenSocket = KoffiFunc<(family: number, type: number, protocol: number) => number>;
type Bind = KoffiFunc<(fd: number, address: Uint8Array, length: number) => number>;
type Receive = KoffiFunc<
  (...call: [fd: number, into: Uint8Array, length: number, flags: number]) => number
>;

/** Listens at a path, or at an abstract name if it begins with `@`. */
export function notifySocket(path: string): NotifySocket {
  const libc = koffi.load(null);
  const socket: OpenSocket = libc.func("int socket(int, int, int)");
  const bind: Bind = libc.func("int bind(int, void *, uint32_t)");
  const receive: Receive = libc.func("intptr_t recv(int, _Out_ void *, size_t, int)");
  const fd = socket(AF_UNIX, DATAGRAMS, 0);
  const name = path.replace(/^@/, "\0");
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(name)]);
  if (bind(fd, address, address.length) === -1) throw new Error(`bind ${path}`);
  const messages: (readonly string[])[] = [];
  return {
    received() {
      const into = new Uint8Array(MAX);
      for (;;) {
        const length = receive(fd, into, MAX, 0);
        if (length === -1) {
          const code = getSystemErrorName(-koffi.errno());
          if (code !== "EAGAIN") throw new Error(`recv ${code}`);
          return messages;
        }
        messages.push(Buffer.from(into.subarray(0, length)).toString().trimEnd().split("\n"));
      }
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}
