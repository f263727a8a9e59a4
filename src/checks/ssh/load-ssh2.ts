import { createRequire } from "node:module";

import type * as Ssh2 from "ssh2";

const require = createRequire(import.meta.url);

/** Loads ssh2 when it is first needed, because that takes 30 ms and 13 MB; synchronously, because parsing a parameter may need it. */
export function loadSsh2(): typeof Ssh2 {
  return require("ssh2");
}
