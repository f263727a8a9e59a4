import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import { create, Unpack } from "tar";

import type { Secret } from "../../kit/crypto/secret.ts";
import { AppError, codeOf, InvalidInput, messageOf } from "../../kit/errors.ts";
import { explained } from "./backup-files.ts";
import { DATABASE_FILE, KEY_FILE, MANIFEST_FILE } from "./manifest.ts";
import { decrypt, encrypt } from "./age.ts";

/** First bytes of encrypted files: https://age-encryption.org/v1. */
const AGE_MAGIC = "age-encryption.org/v1\n";
const NAMES: ReadonlySet<string> = new Set([MANIFEST_FILE, KEY_FILE, DATABASE_FILE]);

/** The files of a backup as one: a gzipped tar, encrypted with age where there are recipients. */
export async function* packArchive(
  folder: string,
  names: readonly string[],
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const files = Readable.from(create({ cwd: folder, portable: true }, [...names]));
  const gzip = createGzip();
  const packing = pipeline(files, gzip);
  // It is awaited below, unless the reader of the archive fails first.
  packing.catch(() => {});
  if (recipients.length === 0) yield* gzip;
  else yield* await encrypt(Readable.toWeb(gzip), recipients);
  await packing;
}

/** Writes the files of an archive into a folder. Throws InvalidInput where it is damaged, not whole, or of another key. */
export async function unpackArchive(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  identities: readonly Secret[],
): Promise<void> {
  let failure: unknown;
  // Streams wrap the errors of their sources.
  const source = (async function* () {
    try {
      yield* content;
    } catch (error) {
      failure = error;
      throw error;
    }
  })();
  try {
    const { isEncrypted, whole } = await recognized(source);
    const packed = isEncrypted
      ? await decrypt(Readable.toWeb(Readable.from(whole)), identities)
      : Readable.from(whole);
    const unpacked = new Unpack({
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) => {
        if (NAMES.has(path) && "type" in entry && entry.type === "File") return true;
        throw new InvalidInput(`the backup has a file ${JSON.stringify(path)} that none has`);
      },
    });
    await pipeline(packed, createGunzip(), (files) => writeAll(files, unpacked));
  } catch (error) {
    throw translated(failure ?? error, folder);
  }
}

function translated(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  const said = explained(error, `the backup cannot be unpacked into ${JSON.stringify(folder)}`);
  if (said !== error || codeOf(error) === "EIO") return said;
  return new InvalidInput(
    `the backup is damaged, not whole, or was changed (${messageOf(error)}): take another backup, or another copy of this one`,
    { cause: error },
  );
}

async function recognized(source: AsyncGenerator<Uint8Array>): Promise<{
  readonly isEncrypted: boolean;
  readonly whole: AsyncIterable<Uint8Array>;
}> {
  let head = Buffer.alloc(0);
  while (head.length < AGE_MAGIC.length) {
    const { value, done } = await source.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return {
    isEncrypted: head.toString("latin1").startsWith(AGE_MAGIC),
    whole: (async function* () {
      yield head;
      yield* source;
    })(),
  };
}

/** The library's writer is an emitter that Node's pipeline does not know. */
async function writeAll(files: AsyncIterable<Buffer>, unpacked: Unpack): Promise<void> {
  const ended = once(unpacked, "end");
  ended.catch(() => {});
  for await (const chunk of files)
    if (!unpacked.write(chunk)) await Promise.race([once(unpacked, "drain"), ended]);
  unpacked.end();
  await ended;
}
