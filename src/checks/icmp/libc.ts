import { closeSync, readSync, writeSync } from "node:fs";
import { isIPv6 } from "node:net";
import { platform } from "node:os";
import { getSystemErrorName } from "node:util";

import ipaddr from "ipaddr.js";
import type { KoffiFunc } from "koffi";

import { codeOf, Unavailable } from "../../kit/errors.ts";

/** System calls that Node does not offer. Throws the system's errors. */
export interface IcmpLibc {
  /** Opens a socket for echo requests and replies, and gives its file descriptor, which the caller closes. */
  readonly open: (version: 4 | 6) => number;
  /** Sends the packet again from a socket that collects ICMP errors about it. */
  readonly watchIcmpErrors: (address: string, packet: Buffer) => IcmpErrors;
}

export interface IcmpErrors extends Disposable {
  /** Whether a router, the target or the local network reported that the packet cannot be delivered. */
  readonly any: () => boolean;
}

/** Constants of Linux. */
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const VERSIONS = {
  4: { family: 2, protocol: 1, level: 0, receiveErrors: 11 },
  6: { family: 10, protocol: 58, level: 41, receiveErrors: 25 },
};
/** The layout of a socket address: the offset of the IP address in it, and its length. */
const LAYOUTS = { 4: { offset: 4, length: 16 }, 6: { offset: 8, length: 28 } };

type OpenSocket = KoffiFunc<(family: number, type: number, protocol: number) => number>;
type SetOption = KoffiFunc<
  (...call: [fd: number, level: number, name: number, value: Uint8Array, length: number]) => number
>;
type Connect = KoffiFunc<(fd: number, address: Uint8Array, length: number) => number>;

export async function loadIcmpLibc(): Promise<IcmpLibc> {
  if (platform() !== "linux") throw new Unavailable("ICMP sockets are for Linux only");
  const { default: koffi } = await import("koffi");
  const libc = koffi.load(null);
  const socket: OpenSocket = libc.func("int socket(int, int, int)");
  const setsockopt: SetOption = libc.func("int setsockopt(int, int, int, void *, uint32_t)");
  const connect: Connect = libc.func("int connect(int, void *, uint32_t)");

  const failure = (syscall: string): Error => {
    const code = getSystemErrorName(-koffi.errno());
    if (code === "EACCES" && syscall === "socket")
      return new Unavailable("net.ipv4.ping_group_range does not cover the group of this process");
    return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  };
  const open = (version: 4 | 6): number => {
    const { family, protocol } = VERSIONS[version];
    const fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (fd === -1) throw failure("socket");
    return fd;
  };

  return {
    open,
    watchIcmpErrors(address, packet) {
      const version = isIPv6(address) ? 6 : 4;
      const { level, receiveErrors } = VERSIONS[version];
      const fd = open(version);
      try {
        const on = new Uint8Array(Int32Array.of(1).buffer);
        const to = socketAddress(version, address);
        if (setsockopt(fd, level, receiveErrors, on, on.length) === -1) throw failure("setsockopt");
        if (connect(fd, to, to.length) === -1) throw failure("connect");
        writeSync(fd, packet);
      } catch (error) {
        closeSync(fd);
        throw error;
      }
      return { any: () => hasFailed(fd), [Symbol.dispose]: () => closeSync(fd) };
    },
  };
}

/** A reported ICMP error makes the next call fail. */
function hasFailed(fd: number): boolean {
  try {
    readSync(fd, Buffer.alloc(1));
    return false;
  } catch (error) {
    return codeOf(error) !== "EAGAIN";
  }
}

function socketAddress(version: 4 | 6, address: string): Uint8Array {
  const { offset, length } = LAYOUTS[version];
  const bytes = new Uint8Array(length);
  bytes.set(new Uint8Array(Uint16Array.of(VERSIONS[version].family).buffer));
  bytes.set(ipaddr.parse(address).toByteArray(), offset);
  return bytes;
}
