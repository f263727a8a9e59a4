import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const MODULE = "virtual:messages/";
const RESOLVED = `\0${MODULE}`;

/** Gives the page the texts of a language compiled, so that it needs no parser. */
export function catalogues(folder: string): Plugin {
  return {
    name: "catalogues",
    resolveId: (id) => (id.startsWith(MODULE) ? id.replace(MODULE, RESOLVED) : undefined),
    async load(id) {
      if (!id.startsWith(RESOLVED)) return undefined;
      const language = id.slice(RESOLVED.length);
      const file = pathToFileURL(join(folder, `${language}.ts`)).href;
      const loaded: Readonly<Record<string, Parts>> = await import(file);
      return `export const messages = ${JSON.stringify(compiled(loaded[language] ?? {}))};`;
    },
  };
}

type Parts = Readonly<Record<string, Readonly<Record<string, string>>>>;

function compiled(catalogue: Parts): object {
  return Object.fromEntries(
    Object.entries(catalogue).flatMap(([part, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${part}.${key}`, compileMessage(text)]),
    ),
  );
}
