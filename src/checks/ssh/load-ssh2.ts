import { createRequire } from "node:module";

import type * as Ssh2 from "ssh2";

const require = createRequire(import.meta.url);

/** Read when first needed, and at once as a parameter may be what needs it: that takes 30 ms and 13 MB. */
export function loadSsh2(): typeof Ssh2 {
  return require("ssh2");
}
