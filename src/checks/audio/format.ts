/** Container and codec, by ffmpeg's names. */
export type AudioFormat = "aac" | "flac" | "matroska" | "mov" | "mp3" | "mpegts" | "ogg" | "wav";

interface Frame {
  readonly format: AudioFormat;
  readonly length: number;
  /** The same for all frames of a stream. */
  readonly kind: number;
}

const BEGINNINGS: readonly (readonly [AudioFormat, RegExp])[] = [
  ["ogg", /^OggS/],
  ["flac", /^fLaC/],
  // Matroska (RFC 8794, 11.2.1), the basis of WebM.
  ["matroska", /^.E\xdf\xa3/s],
  ["wav", /^RIFF.{4}WAVE/s],
  ["mov", /^.{4}(?:ftyp|styp|sidx|moof)/s],
  // ISO 13818-1, 2.4.3.2: each packet of 188 bytes begins with this byte.
  ["mpegts", /^G(?:.{187}G){4}/s],
];

/** The format of a stream, which may begin in the middle of a frame; undefined if the bytes are not a known audio format. */
export function audioFormat(bytes: Uint8Array): AudioFormat | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("latin1", 0, 1024);
  const [known] = BEGINNINGS.find(([, beginning]) => beginning.test(text)) ?? [];
  // Frames follow an ID3 tag, but a picture in the tag may be larger than what was read.
  return known ?? formatOfFrames(buffer) ?? (text.startsWith("ID3") ? "mp3" : undefined);
}

const ENOUGH_FRAMES = 3;
const SYNC = 0xff;

function formatOfFrames(bytes: Buffer): AudioFormat | undefined {
  for (let at = bytes.indexOf(SYNC); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    let frame = frameAt(bytes, at);
    const kind = frame?.kind;
    for (let count = 1, end = at; frame !== undefined && frame.kind === kind; count += 1) {
      if (count === ENOUGH_FRAMES) return frame.format;
      end += frame.length;
      frame = frameAt(bytes, end);
    }
  }
  return undefined;
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 6 > bytes.length) return undefined;
  const head = bytes.readUInt32BE(at);
  if (head >>> 21 !== 0x7ff) return undefined;
  return layerOf(head) === 0 ? adtsFrame(head, bytes.readUInt16BE(at + 4)) : mpegFrame(head);
}

/** Returns the layer bits of a frame header: 0 is invalid, 1 is layer III, 3 is layer I. */
function layerOf(head: number): number {
  return (head >>> 17) & 3;
}

/** ISO 14496-3, 1.A.2.2: a header of 28 fixed and 28 variable bits. */
function adtsFrame(head: number, rest: number): Frame | undefined {
  const length = ((head & 3) << 11) | (rest >>> 5);
  const isSync = head >>> 20 === 0xfff;
  const hasSampleRate = ((head >>> 10) & 15) < 13;
  return isSync && hasSampleRate && length >= 7
    ? { format: "aac", length, kind: head & 0xfffffff0 }
    : undefined;
}

/** kbit/s by the four bits of a header, beginning with 1; the values 0 and 15 give no length. */
const LOW_BIT_RATES = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const BIT_RATES: Readonly<Record<1 | 2, Readonly<Record<number, readonly number[]>>>> = {
  1: {
    1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  },
  2: {
    1: LOW_BIT_RATES,
    2: LOW_BIT_RATES,
    3: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  },
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** Divisors of the sample rate for versions 2.5, none, 2 and 1. */
const DIVISORS = [4, undefined, 2, 1];

/** ISO 11172-3, 2.4.2.3, ISO 13818-3, 2.4.2.3, and the unofficial version 2.5 with lower rates. */
function mpegFrame(head: number): Frame | undefined {
  const divisor = DIVISORS[(head >>> 19) & 3];
  const layer = layerOf(head);
  const rate = SAMPLE_RATES[(head >>> 10) & 3];
  const kilobits = BIT_RATES[divisor === 1 ? 1 : 2][layer]?.[((head >>> 12) & 15) - 1];
  if (divisor === undefined || rate === undefined || kilobits === undefined) return undefined;
  const bytesPerSlot = layer === 3 ? 4 : 1;
  const samples = layer === 3 ? 384 : layer === 1 && divisor !== 1 ? 576 : 1152;
  const slots = Math.floor(((samples / 8 / bytesPerSlot) * kilobits * 1000) / (rate / divisor));
  const padding = (head >>> 9) & 1;
  return {
    format: "mp3",
    length: (slots + padding) * bytesPerSlot,
    kind: head & 0xfffe0c00,
  };
}
