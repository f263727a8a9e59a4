import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { cpuTimeMs } from "../../../test/time/cpu-time.ts";
import { firstEntry } from "./audio.ts";

const LIVE = "http://radio.test/live";

const rows = [
  { name: "a bare M3U", text: `${LIVE}\nhttp://radio.test/other\n`, entry: LIVE },
  { name: "an M3U with comments", text: `#EXTM3U\r\n#EXTINF:-1,Radio\r\n${LIVE}\r\n`, entry: LIVE },
  {
    name: "an M3U with a mark of its byte order",
    text: `\uFEFF#EXTM3U\n\n  ${LIVE}  \n`,
    entry: LIVE,
  },
  { name: "an M3U of one line without its end", text: LIVE, entry: LIVE },
  {
    name: "a relative entry where the type says that it is one",
    text: "live.mp3\n",
    type: "audio/x-mpegurl",
    entry: "live.mp3",
  },
  { name: "an M3U that is empty", text: "#EXTM3U\n#EXTINF:-1,Radio\n", entry: undefined },
  {
    name: "HLS",
    text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=96000\nlow/index.m3u8\n",
    entry: "low/index.m3u8",
  },
  {
    name: "a PLS",
    text: `[playlist]\nNumberOfEntries=2\nTitle1=Radio\nFile1=${LIVE}\nFile2=http://b/\n`,
    entry: LIVE,
  },
  { name: "a PLS in other words", text: `\r\n[Playlist]\r\n file1 = ${LIVE} \r\n`, entry: LIVE },
  {
    name: "a PLS with nothing in it",
    text: "[playlist]\nFile1=\nNumberOfEntries=0\n",
    entry: undefined,
  },
  {
    name: "an XSPF",
    text: `<playlist xmlns="http://xspf.org/ns/0/"><location>http://a/</location><trackList><track>
      <title>Radio</title><location> ${LIVE}?a=b&amp;c=d </location></track></trackList></playlist>`,
    entry: `${LIVE}?a=b&c=d`,
  },
  {
    name: "an XSPF with nothing in it",
    text: '<playlist xmlns="http://xspf.org/ns/0/"/>',
    entry: undefined,
  },
  { name: "a page", text: `<html><a href="${LIVE}">listen</a></html>`, entry: undefined },
  { name: "a text", text: "The station is closed", entry: undefined },
  { name: "nothing", text: "", entry: undefined },
];

for (const { name, text, type = "text/plain", entry } of rows) {
  test(`the first entry of ${name} is ${entry ?? "none"}`, () => {
    assert.equal(firstEntry(text, type), entry);
  });
}

const scrap = fc.oneof(
  fc.string(),
  fc.constantFrom("[playlist]", "File1=", "#EXTM3U", "http://", "\n", " ", "<track>", "<location>"),
  fc.constant("http://xspf.org/ns/0/"),
);

test("an entry is one line with something in it, whatever the playlist", () => {
  fc.assert(
    fc.property(fc.array(scrap), fc.boolean(), (scraps, isTyped) => {
      const entry = firstEntry(scraps.join(""), isTyped ? "audio/mpegurl" : "");
      assert.ok(entry === undefined || /^\S(?:.*\S)?$/su.test(entry), JSON.stringify(entry));
      assert.doesNotMatch(entry ?? "", /[\r\n]/);
    }),
  );
});

test("a playlist that was made to be slow is not", () => {
  const took = cpuTimeMs(() => {
    for (const piece of ["\n", " ", "<track>", "File1", "[playlist", "\uFEFF"])
      for (const start of ["", "[playlist]", "http://xspf.org/ns/0/", "File1="])
        firstEntry(start + piece.repeat(8192 / piece.length), "audio/mpegurl");
  });
  assert.ok(took < 1000, `${took} ms`);
});
