import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";

/** One way to compress a body. All of them work in the thread pool. */
export interface Compression {
  /** Its name in Content-Encoding. */
  readonly encoding: string;
  readonly whole: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly stream: () => Transform;
}

/** Each higher level takes several times as long as the previous one and saves a few percent. The 512 KiB window is the memory of each stream. */
const brotli = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 19,
  },
};
const zstd = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_windowLog]: 19,
  },
};
const deflate = { level: 5 };

/** The fastest first. */
const compressions: readonly Compression[] = [
  {
    encoding: "zstd",
    whole: (bytes) => promisify(zstdCompress)(bytes, zstd),
    stream: () => createZstdCompress(zstd),
  },
  {
    encoding: "br",
    whole: (bytes) => promisify(brotliCompress)(bytes, brotli),
    stream: () => createBrotliCompress(brotli),
  },
  {
    encoding: "gzip",
    whole: (bytes) => promisify(gzip)(bytes, deflate),
    stream: () => createGzip(deflate),
  },
];

/** Returns the encoding accepted by the client's Accept-Encoding (RFC 9110, section 12.5.3); undefined if it accepts none of ours. */
export function compressionFor(acceptEncoding: string | undefined): Compression | undefined {
  const names = (acceptEncoding ?? "").split(",").flatMap((each) => {
    const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
  });
  const accepted = new Set(names);
  return compressions.find(({ encoding }) => accepted.has(encoding));
}
