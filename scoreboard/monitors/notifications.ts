import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";

import type { Reading, Received } from "./monitor.ts";

/** Puts the script that posts notifications into the folder of a monitor, and gives its path. */
export async function placeNotifyScript(folder: string): Promise<string> {
  const path = join(folder, "notify.sh");
  await copyFile(join(import.meta.dirname, "notify.sh"), path);
  await chmod(path, 0o755);
  return path;
}

const states: Readonly<Record<string, Reading["state"]>> = {
  down: "down",
  up: "up",
  PROBLEM: "down",
  RECOVERY: "up",
};

/** Reads what the script posted. */
export function readNotification({ body }: Received): readonly Reading[] {
  const form = new URLSearchParams(body);
  const state = states[form.get("state") ?? ""];
  const target = form.get("target");
  if (state === undefined || target === null) return [];
  return [{ target, state, reason: (form.get("reason") ?? "").trim() }];
}

/** The text of a mail without attachments. */
export function mailText({ body, headers }: Received): string {
  switch (headers["content-transfer-encoding"]?.toLowerCase()) {
    case "quoted-printable":
      return quotedPrintable(body);
    case "base64":
      return Buffer.from(body, "base64").toString();
    default:
      return body;
  }
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
