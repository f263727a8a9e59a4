import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import react from "@vitejs/plugin-react";
import { build } from "vite";

import { catalogues } from "./catalogues.ts";

const root = join(import.meta.dirname, "../..");
const source = join(root, "dashboard");
const folder = join(root, "dist/client");
/** Code shared by many forms, which the first screen does not need. */
const OF_FORMS =
  /react-number-format|components\/(?:NumberInput|Fieldset)\/|dashboard\/parts\/(?:schema-form\/|markdown-|records\/(?:zones|zone-field|number-field|fields|record-(?:form|page|card)|confirm-modal|dialog-button|found-list|search-list|word-select|dependents)\.)/;
/** What the first screen shares with other pages. */
const SMALL = /octicons|@mantine.hooks|components.Collapse|mantine-color-scheme|dashboard.routes/;
/** What the dashboard shares with the pages on which people sign in. */
const OF_SESSIONS = /dashboard-paths|dashboard.(?:api|shell)./;
/** File with the hash of the sources. */
const STAMP = "built-from";

if (existsSync(join(folder, STAMP)) && readFileSync(join(folder, STAMP), "utf8") === sourceHash())
  process.exit();
await buildClient();

/** Returns a hash of everything that affects the result. */
function sourceHash(): string {
  const hash = createHash("sha256");
  const inputs = ["package-lock.json", "scripts/client/*.ts", "{src/domain,dashboard}/**/*.*"];
  for (const path of globSync(inputs, { cwd: root }).toSorted())
    if (!path.includes(".test.")) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

/** Two that build at one time do not disturb each other, and nobody sees half a build. */
async function buildClient(): Promise<void> {
  const stamp = sourceHash();
  const made = join(root, "dist", `client-${randomUUID()}`);
  await build({
    root: source,
    configFile: false,
    envDir: false,
    logLevel: "warn",
    plugins: [react(), catalogues(join(source, "locales"))],
    build: {
      outDir: made,
      emptyOutDir: true,
      target: "es2023",
      // A data URL would be a style or font that the policy of the page does not allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Code shared by most pages goes in one file, because dozens of small files cost more than they save.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "shared", minShareCount: 5, test: (id) => !OF_FORMS.test(id) },
              // A file of each would be smaller than its headers.
              { name: "small", minShareCount: 2, test: SMALL },
              { name: "session", minShareCount: 2, test: OF_SESSIONS },
            ],
          },
        },
      },
      reportCompressedSize: false,
    },
  });
  await Promise.all((await readdir(join(made, "assets"))).map((name) => compress(made, name)));
  await writeFile(join(made, STAMP), stamp);
  const old = join(root, "dist", `client-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  await rename(folder, old);
  await rename(made, folder);
  await rm(old, { recursive: true });
}

/** Writes a compressed version of the file next to it, for clients that accept it. */
async function compress(made: string, name: string): Promise<void> {
  const path = join(made, "assets", name);
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await writeFile(`${path}.br`, brotli);
  await writeFile(`${path}.gz`, gzipped);
}
