import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SshKey {
  readonly privateKey: string;
  /** A line for a list of keys that may log in. */
  readonly publicKey: string;
}

/** A key as ssh-keygen makes it, of the kind that its options say. */
export function sshKey(options = ["-t", "ed25519"], passphrase = ""): SshKey {
  const folder = mkdtempSync(join(tmpdir(), "ssh-key-"));
  const file = join(folder, "key");
  try {
    execFileSync("ssh-keygen", ["-q", ...options, "-N", passphrase, "-C", "", "-f", file]);
    return {
      privateKey: readFileSync(file, "utf8"),
      publicKey: readFileSync(`${file}.pub`, "utf8"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
