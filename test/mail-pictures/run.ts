import { join } from "node:path";

import { openCamera, outputFolder, schemes } from "./pictures.ts";
import { sampleMails } from "./sample-mails.ts";

const docs = join(import.meta.dirname, "../../docs/pictures");
const shown = new Set(["down", "reminder", "up", "digest"]);

await using camera = await openCamera();
for (const { name, html } of await sampleMails()) {
  if (process.argv.includes("--docs")) {
    if (shown.has(name)) await camera.crop(html, join(docs, `alert-${name}.png`));
  } else
    for (const width of ["desk", "phone"] as const)
      for (const scheme of schemes) await camera.take(html, name, { width, scheme });
}
process.stdout.write(`${process.argv.includes("--docs") ? docs : outputFolder}\n`);
