import { registerHooks } from "node:module";

import { withoutGuard, type Replacement } from "./guard.ts";
import { guards } from "./guards.ts";

/** Without a guard a test fails anyway: it need not wait as long for what never happens. */
const shortWait: Replacement = {
  file: "test/time/wait-for.ts",
  text: "= 5 * 60_000",
  without: "= 15_000",
};

// Loaded before the program by `--import remove-guard.ts?guard=name`, in every process and thread of a test.
const name = new URL(import.meta.url).searchParams.get("guard") ?? "";
const guard = guards[name];
if (guard === undefined) throw new Error(`no such guard ${JSON.stringify(name)}`);

/** By the end of the path, for a test may run a copy of the file in a folder of its own. */
const changeOf = (url: string): Replacement | undefined =>
  [guard, shortWait].find(({ file }) => url.split("?")[0]?.endsWith(`/${file}`));

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const change = changeOf(url);
    if (change === undefined || loaded.source === undefined || loaded.source === null)
      return loaded;
    const source =
      typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: withoutGuard(change, source) };
  },
});
