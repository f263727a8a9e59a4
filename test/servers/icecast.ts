import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { waitFor } from "../time/wait-for.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface Icecast extends Server {
  readonly port: number;
  /** Where it is, without a slash at the end. */
  readonly url: string;
}

const PASSWORD = "hackme";
/** 128 kbit/s, each packet sent as soon as it is there. */
const AT_ONCE = ["-b:a", "128k", "-flush_packets", "1"];
const TONE = "0";
const SILENCE = "1";

/** Streams, and how ffmpeg generates them. */
const mounts = {
  "tone.mp3": [TONE, "-c:a", "libmp3lame", "-f", "mp3", "-content_type", "audio/mpeg"],
  "tone.ogg": [TONE, "-c:a", "libvorbis", "-f", "ogg", "-content_type", "application/ogg"],
  "tone.aac": [TONE, "-c:a", "aac", "-f", "adts", "-content_type", "audio/aac"],
  "silence.mp3": [SILENCE, "-c:a", "libmp3lame", "-f", "mp3", "-content_type", "audio/mpeg"],
} as const;

/** Radio station on 127.0.0.1 with all streams active: `/tone.mp3`, `/tone.ogg`, `/tone.aac`, and `/silence.mp3`. */
export async function icecast({ port }: { readonly port?: number } = {}): Promise<Icecast> {
  await using started = new AsyncDisposableStack();
  const at = port ?? (await closedPort());
  const url = `http://127.0.0.1:${at}`;
  const server = started.use(await startIcecast(at));
  started.use(await startSource(at));
  await waitFor("every mount is on air", async () =>
    (await Promise.all(Object.keys(mounts).map((mount) => isOnAir(`${url}/${mount}`)))).every(
      Boolean,
    ),
  );
  const running = started.move();
  return {
    ...server,
    port: at,
    url,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startIcecast(port: number): Promise<Server> {
  const folder = await serverFolder();
  const config = join(folder, "icecast.xml");
  await writeFile(
    config,
    `
<icecast>
  <limits><sources>${Object.keys(mounts).length}</sources></limits>
  <authentication><source-password>${PASSWORD}</source-password></authentication>
  <listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths>
    <logdir>${folder}</logdir>
    <webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>-</accesslog><errorlog>-</errorlog></logging>
  <security>
    <chroot>0</chroot>
    <changeowner><user>icecast2</user><group>icecast</group></changeowner>
  </security>
</icecast>
`,
  );
  return startServer({ program: "icecast2", args: ["-c", config], ports: [port], folder });
}

/** Source of all streams. Plays four times too fast, so that listeners quickly receive enough. */
async function startSource(port: number): Promise<Server> {
  const played = ["-readrate", "4", "-f", "lavfi", "-i"];
  const inputs = [...played, "sine=frequency=440", ...played, "anullsrc=r=44100:cl=mono"];
  const outputs = Object.entries(mounts).flatMap(([name, [input, ...form]]) => [
    "-map",
    input,
    ...form,
    ...AT_ONCE,
    `icecast://source:${PASSWORD}@127.0.0.1:${port}/${name}`,
  ]);
  return startServer({
    program: "ffmpeg",
    args: ["-nostdin", "-loglevel", "error", ...inputs, ...outputs],
    ports: [],
    folder: await serverFolder(),
  });
}

async function isOnAir(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.ok;
}
