import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// Loaded before the program by `--import remove-guard.ts?file=…&source=…`, in every process and thread of a test.
const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("file") ?? "";
const source = readFileSync(searchParams.get("source") ?? "", "utf8");

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    // By the end of the path, because a test may run a copy of the file in a folder of its own.
    return url.split("?")[0]?.endsWith(`/${file}`) === true ? { ...loaded, source } : loaded;
  },
});
