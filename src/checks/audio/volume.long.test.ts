import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import test from "node:test";

import { waitFor } from "../../../test/time/wait-for.ts";
import { audio, SILENCE } from "../../../test/peers/audio.ts";
import { serverFolder } from "../../../test/servers/server.ts";
import { meanVolume, type Audio } from "./volume.ts";

const never = new AbortController().signal;
const MP3 = "-c:a libmp3lame -b:a 128k -f mp3";
const tone: Audio = { format: "mp3", bytes: audio(MP3) };

/** How many processes we have that have not ended. */
function children(): number {
  const list = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
  return list.split(" ").length - 1;
}

const rows = [
  { name: "a tone", ...tone, volume: -21 },
  { name: "a tone entered midway", format: "mp3", bytes: tone.bytes.subarray(5000), volume: -21 },
  { name: "silence", format: "mp3", bytes: audio(MP3, SILENCE), volume: -91 },
  { name: "a tone in AAC", format: "aac", bytes: audio("-c:a aac -f adts"), volume: -21 },
  { name: "a tone in Vorbis", format: "ogg", bytes: audio("-c:a libvorbis -f ogg"), volume: -21 },
  { name: "a tone in Opus", format: "ogg", bytes: audio("-c:a libopus -f ogg"), volume: -21 },
  { name: "a tone in FLAC", format: "flac", bytes: audio("-c:a flac -f flac"), volume: -21 },
  { name: "a tone as a wave", format: "wav", bytes: audio("-f wav"), volume: -21 },
  {
    name: "a tone in a transport stream",
    format: "mpegts",
    bytes: audio("-c:a aac -f mpegts"),
    volume: -21,
  },
  {
    name: "a tone in MP4",
    format: "mov",
    bytes: audio("-c:a aac -movflags empty_moov+frag_keyframe -f mp4"),
    volume: -21,
  },
  {
    name: "ten silent seconds before a tone",
    format: "flac",
    bytes: audio("-t 20 -af adelay=10s -c:a flac -f flac"),
    volume: -91,
  },
] as const;

for (const { name, format, bytes, volume } of rows) {
  test(`the mean volume of ${name} is about ${volume} dB`, async () => {
    const found = await meanVolume({ format, bytes }, never);
    assert.ok(found !== undefined && Math.abs(found - volume) < 1, String(found));
    assert.equal(children(), 0);
  });
}

for (const { name, bytes } of [
  { name: "noise", bytes: Buffer.alloc(8192, 0xa5) },
  { name: "nothing", bytes: Buffer.alloc(0) },
  { name: "a playlist", bytes: Buffer.from("#EXTM3U\nfile:///etc/passwd\n") },
]) {
  test(`${name} has no volume`, async () => {
    assert.equal(await meanVolume({ format: "mp3", bytes }, never), undefined);
  });
}

test("one ffmpeg runs at a time", async () => {
  let most = 0;
  let measured = 0;
  for (let count = 0; count < 3; count += 1)
    void meanVolume(tone, never).then(() => (measured += 1));
  await waitFor("all are measured", () => {
    most = Math.max(most, children());
    return measured === 3;
  });
  assert.equal(most, 1);
});

/** Runs with that program in place of ffmpeg, or with none. */
async function instead(script: string | undefined, run: () => Promise<void>): Promise<void> {
  const { PATH } = process.env;
  const folder = await serverFolder();
  const program = join(folder, "ffmpeg");
  if (script !== undefined) await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env.PATH = script === undefined ? folder : [folder, PATH].join(delimiter);
  try {
    await run();
  } finally {
    process.env.PATH = PATH;
    await rm(folder, { recursive: true });
  }
}

test("without ffmpeg nothing is known", () =>
  instead(undefined, () =>
    assert.rejects(meanVolume(tone, never), {
      code: "unavailable",
      message: "ffmpeg is needed for verifyvolume",
    }),
  ));

test("an ffmpeg that does not end is ended, and nothing is known", () =>
  instead("exec sleep 600", async () => {
    await assert.rejects(meanVolume(tone, never), {
      code: "unavailable",
      message: "ffmpeg was ended by SIGKILL before it had measured the volume",
    });
    assert.equal(children(), 0);
  }));

test("an ffmpeg computes for two seconds at most", () =>
  instead(`case "$*" in *" -timelimit 2 "*) echo '[x] mean_volume: -7 dB' >&2;; esac`, async () =>
    assert.equal(await meanVolume(tone, never), -7),
  ));

test("the signal ends whoever is measured or waits for it, and nothing is known", () =>
  instead("exec sleep 600", async () => {
    const controller = new AbortController();
    const measuring = [1, 2].map(() => meanVolume(tone, controller.signal));
    await waitFor("an ffmpeg", () => children() === 1);
    controller.abort("over");
    for (const one of measuring)
      await assert.rejects(one, {
        code: "unavailable",
        message: "no time was left to measure the volume",
      });
    await waitFor("the end of the ffmpeg", () => children() === 0);
  }));

test("an ffmpeg that floods us with words is read to its end", () =>
  instead(
    "yes '[x] mean_volume: -1 dB' | head -c 50000000 >&2; echo '[x] mean_volume: -7 dB' >&2",
    async () => assert.equal(await meanVolume(tone, never), -7),
  ));
