import { execFileSync } from "node:child_process";

const TONE = "sine=frequency=440";
export const SILENCE = "anullsrc=r=44100:cl=mono";

/** Two seconds of a tone, or of another source, in the form that its arguments give to ffmpeg. */
export function audio(form: string, source = TONE): Buffer {
  const input = ["-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", source, "-t", "2"];
  return execFileSync("ffmpeg", [...input, ...form.split(" "), "-"]);
}
