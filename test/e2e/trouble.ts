import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { codeOf } from "../../src/kit/errors.ts";
import { systemEnvironment } from "../system-tools.ts";
import { temporaryFolder } from "./process.ts";

const execute = promisify(execFile);

/** Wall clock of one program, set by the test. Its monotonic clock and its timers are unaffected. */
export interface SteppedClock extends AsyncDisposable {
  /** Settings for `start` and `run`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets it forward, or back where negative. */
  readonly step: (byMs: number) => Promise<void>;
  /** How far it is ahead of the real clock, in ms. */
  readonly offset: () => number;
}

const LIBRARY = "/usr/lib/*/faketime/libfaketimeMT.so.1";

/** Reads the offset at every call; while no descriptor is free it cannot, and the clock is correct. */
export async function steppedClock(): Promise<SteppedClock> {
  const [library] = globSync(LIBRARY);
  if (library === undefined) throw new Error(`there is no ${LIBRARY}: install libfaketime`);
  const folder = await temporaryFolder();
  const file = join(folder.path, "offset");
  let offset = 0;
  const step = async (byMs: number): Promise<void> => {
    offset += byMs;
    // A reader must never find half of it.
    await writeFile(`${file}.new`, `${offset < 0 ? "-" : "+"}${Math.abs(offset) / 1000}\n`);
    await rename(`${file}.new`, file);
  };
  await step(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    step,
    offset: () => offset,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** A disk that belongs to one test. */
export interface OwnDisk extends AsyncDisposable {
  readonly path: string;
  /** Until disposed, writers hang in the kernel and cannot be killed. */
  readonly freeze: () => Promise<AsyncDisposable>;
  /** Not a byte is free until this is disposed of. */
  readonly fill: () => Disposable;
}

/** A test that hangs must not leave a disk frozen. */
const MAX_FREEZE_SECONDS = 600;

/** An ext4 file system in a file, mounted until the end of the scope, or until this process dies. It needs root. */
export async function ownDisk(megabytes: number): Promise<OwnDisk> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const image = join(folder.path, "image");
  const path = join(folder.path, "disk");
  mkdirSync(path);
  await execute("truncate", [`--size=${megabytes}M`, image]);
  await execute("mkfs.ext4", ["-q", "-m", "0", image], { env: systemEnvironment });
  stack.use(
    await untilDisposed({
      begin: 'mount -o loop "$1" "$0"',
      end: 'fsfreeze --unfreeze "$0" 2>/dev/null; umount --lazy "$0"',
      args: [path, image],
    }),
  );
  const kept = stack.move();
  return {
    path,
    freeze: () =>
      untilDisposed({
        begin: 'fsfreeze --freeze "$0"',
        end: 'fsfreeze --unfreeze "$0" 2>/dev/null',
        args: [path],
        seconds: MAX_FREEZE_SECONDS,
      }),
    fill: () => fill(path),
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

interface Effect {
  readonly begin: string;
  readonly end: string;
  /** Available to both as `$0`, `$1`. */
  readonly args: readonly string[];
  /** How long it may last at most. */
  readonly seconds?: number;
}

/** A shell ends it, even where this process is killed. */
async function untilDisposed({ begin, end, args, seconds }: Effect): Promise<AsyncDisposable> {
  const wait = `${seconds === undefined ? "" : `timeout ${seconds} `}cat >/dev/null`;
  const shell = spawn("sh", ["-c", `${begin} || exit; echo begun; ${wait}; ${end}`, ...args], {
    env: systemEnvironment,
    // A group of its own: an interrupt from the keyboard must not end it before its work.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  shell.stderr.on("data", (chunk: Buffer) => (said += chunk));
  const ended = once(shell, "exit");
  const begun = await Promise.race([once(shell.stdout, "data"), ended.then(() => undefined)]);
  if (begun === undefined) throw new Error(`${begin}: ${said}`);
  return {
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      await ended;
    },
  };
}

/** Leaves not a byte free on the disk of a folder until this is disposed of. */
export function fill(folder: string): Disposable {
  const path = join(folder, "filling");
  const { bavail, bsize } = statfsSync(folder);
  // At once, however much it is; the rest in pieces, for smaller ones find the room that larger ones do not.
  const most = Math.floor(0.9 * bavail) * bsize;
  if (most > 0) execFileSync("fallocate", [`--length=${most}`, path]);
  const file = openSync(path, "a");
  try {
    for (const size of PIECES) fillWith(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
  return { [Symbol.dispose]: () => rmSync(path) };
}

const PIECES = [2 ** 16, 2 ** 12, 1];

function fillWith(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
  }
}

/** A C library that reports a full disk as a used-up disk quota, because few kernels of test machines have quotas. */
const QUOTA_SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>
#define REPLACED(type, name, parameters, arguments) \\
  type name parameters { \\
    type (*real) parameters = dlsym(RTLD_NEXT, #name); \\
    type result = real arguments; \\
    if (result < 0 && errno == ENOSPC) errno = EDQUOT; \\
    return result; \\
  }
REPLACED(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
REPLACED(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
REPLACED(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
REPLACED(int, ftruncate, (int fd, off_t size), (fd, size))
REPLACED(int, ftruncate64, (int fd, off64_t size), (fd, size))

int statfs(const char *path, struct statfs *found) {
  int (*real)(const char *, struct statfs *) = dlsym(RTLD_NEXT, "statfs");
  int result = real(path, found);
  // The free space of a disk says nothing of a quota.
  if (result == 0) found->f_bavail = found->f_blocks;
  return result;
}
`;

/** Settings for `start` and `run` with which a program finds its disk quota used up where the disk is full. */
export async function quotaLibrary(): Promise<
  AsyncDisposable & { readonly environment: Readonly<Record<string, string>> }
> {
  const folder = await temporaryFolder();
  const library = join(folder.path, "quota.so");
  const source = join(folder.path, "quota.c");
  await writeFile(source, QUOTA_SOURCE);
  await execute("gcc", ["-shared", "-fPIC", "-o", library, source]);
  return {
    environment: { LD_PRELOAD: library },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Stops the whole process until this is disposed of. */
export function pause(pid: number): Disposable {
  process.kill(pid, "SIGSTOP");
  return { [Symbol.dispose]: () => killIfThere(pid, "SIGCONT") };
}

/** Leaves a process this many more file descriptors than it has open, until this is disposed of. */
export async function limitDescriptors(pid: number, spare: number): Promise<AsyncDisposable> {
  const { stdout } = await execute("prlimit", [
    `--pid=${pid}`,
    "--nofile",
    "--output=SOFT",
    "--noheadings",
  ]);
  const setTo = (limit: number | string): Promise<unknown> =>
    execute("prlimit", [`--pid=${pid}`, `--nofile=${limit}:`]);
  // The limit is one on their numbers, and a new one gets the lowest that is free.
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let limit = 0;
  for (let free = 0; free < spare; limit += 1) if (!open.has(limit)) free += 1;
  await setTo(limit);
  return {
    // The process may have ended meanwhile.
    [Symbol.asyncDispose]: async () => void (await setTo(stdout.trim()).catch(() => {})),
  };
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
