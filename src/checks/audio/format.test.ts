import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { audio } from "../../../test/peers/audio.ts";
import { audioFormat } from "./format.ts";

/** Bytes of a stream that are read to identify its format. */
const READ = 8192;

const encodings = [
  { form: "-c:a libmp3lame -b:a 128k -f mp3", format: "mp3", streams: true },
  { form: "-c:a libmp3lame -b:a 320k -ar 32000 -f mp3", format: "mp3", streams: true },
  { form: "-c:a libmp3lame -b:a 64k -ar 22050 -f mp3", format: "mp3", streams: true },
  { form: "-c:a libmp3lame -b:a 16k -ar 8000 -f mp3", format: "mp3", streams: true },
  { form: "-c:a mp2 -b:a 192k -ar 48000 -f mp2", format: "mp3", streams: true },
  { form: "-c:a mp2 -b:a 64k -ar 24000 -f mp2", format: "mp3", streams: true },
  { form: "-c:a aac -b:a 128k -ac 2 -f adts", format: "aac", streams: true },
  { form: "-c:a aac -b:a 32k -ar 22050 -f adts", format: "aac", streams: true },
  { form: "-c:a libvorbis -f ogg", format: "ogg", streams: false },
  { form: "-c:a libopus -f ogg", format: "ogg", streams: false },
  { form: "-c:a flac -f flac", format: "flac", streams: false },
  { form: "-c:a pcm_s16le -f wav", format: "wav", streams: false },
  { form: "-c:a libopus -f webm", format: "matroska", streams: false },
  { form: "-c:a aac -movflags empty_moov+frag_keyframe -f mp4", format: "mov", streams: false },
  { form: "-c:a aac -f mpegts", format: "mpegts", streams: false },
];

for (const { form, format, streams } of encodings) {
  test(`what ffmpeg makes of ${form} is known as ${format}`, () => {
    const bytes = audio(form);
    assert.equal(audioFormat(bytes.subarray(0, READ)), format);
    if (streams)
      fc.assert(
        fc.property(fc.nat(Math.max(bytes.length - READ, 0)), (from) =>
          assert.equal(audioFormat(bytes.subarray(from, from + READ)), format),
        ),
      );
  });
}

/** Builds frames of which only the header matters. */
function frames(...heads: readonly (readonly [head: number, length: number])[]): Buffer {
  return Buffer.concat(
    heads.map(([head, length]) => {
      const frame = Buffer.alloc(length);
      frame.writeUInt32BE(head);
      return frame;
    }),
  );
}

const LAYER_1 = [0xffff9000, 312] as const; // 288 kbit/s, 44.1 kHz
const LAYER_3 = [0xfffb9000, 417] as const; // 128 kbit/s, 44.1 kHz
const PADDED = [0xfffb9200, 418] as const;
const OTHER_RATE = [0xfffb9400, 384] as const; // 48 kHz
const FREE = [0xfffb0000, 417] as const;
const NO_RATE = [0xfffb9c00, 417] as const;
const NO_VERSION = [0xffeb9000, 417] as const;
const EMPTY_ADTS = [0xfff15000, 7] as const;

const made = [
  { name: "frames of layer I", bytes: frames(LAYER_1, LAYER_1, LAYER_1), format: "mp3" },
  { name: "padded frames among others", bytes: frames(LAYER_3, PADDED, LAYER_3), format: "mp3" },
  {
    name: "frames after noise",
    bytes: frames([0xffffffff, 9], LAYER_3, LAYER_3, LAYER_3),
    format: "mp3",
  },
  { name: "two frames alone", bytes: frames(LAYER_3, LAYER_3) },
  { name: "frames that are not of one stream", bytes: frames(LAYER_3, OTHER_RATE, LAYER_3) },
  { name: "frames with a gap", bytes: frames(LAYER_3, [0xfffb9000, 418], LAYER_3) },
  { name: "frames that do not tell their length", bytes: frames(FREE, FREE, FREE) },
  { name: "frames without a sample rate", bytes: frames(NO_RATE, NO_RATE, NO_RATE) },
  { name: "frames of no version", bytes: frames(NO_VERSION, NO_VERSION, NO_VERSION) },
  {
    name: "frames that are too short for their header",
    bytes: frames(EMPTY_ADTS, EMPTY_ADTS, EMPTY_ADTS),
  },
  {
    name: "a tag that is longer than what was read",
    bytes: Buffer.from("ID3\x04\0\0\0\x7f\x7f\x7fAPIC"),
    format: "mp3",
  },
  {
    name: "a tag before ADTS",
    bytes: Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\0"), audio("-c:a aac -f adts")]),
    format: "aac",
  },
  { name: "a fragment of MP4", bytes: Buffer.from("\0\0\0\x18stypmsdh"), format: "mov" },
  {
    name: "four letters as far apart as packets",
    bytes: Buffer.from(`G${"x".repeat(187)}`.repeat(4)),
  },
  { name: "nothing", bytes: Buffer.alloc(0) },
  { name: "zeros", bytes: Buffer.alloc(READ) },
  { name: "ones", bytes: Buffer.alloc(READ, 0xff) },
  { name: "another RIFF", bytes: Buffer.from("RIFF\0\0\0\0AVI LIST") },
  { name: "a page", bytes: Buffer.from("<!DOCTYPE html><title>Go to the station</title>") },
];

for (const { name, bytes, format } of made) {
  test(`${name} is known as ${format ?? "no audio"}`, () => {
    assert.equal(audioFormat(bytes), format);
  });
}

test("noise is no audio", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: READ / 2, maxLength: READ, size: "max" }), (bytes) => {
      assert.equal(audioFormat(bytes), undefined);
    }),
  );
});
