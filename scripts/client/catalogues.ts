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
      const [language = "", laterName] = id.slice(RESOLVED.length).split("/");
      const file = pathToFileURL(join(folder, `${language}.ts`)).href;
      const loaded: Readonly<Record<string, Parts>> = await import(file);
      const parts = Object.entries(loaded[language] ?? {}).filter(
        ([part]) => later[part] === laterName,
      );
      return `export const messages = ${JSON.stringify(compiled(parts))};`;
    },
  };
}

type Part = Readonly<Record<string, string>>;
type Parts = Readonly<Record<string, Part>>;

/** The parts that are loaded by themselves, as `virtual:messages/<language>/<name>`. */
const later: Readonly<Record<string, string>> = { signIn: "sign-in" };

function compiled(parts: readonly (readonly [part: string, texts: Part])[]): object {
  return Object.fromEntries(
    parts.flatMap(([part, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${part}.${key}`, compileMessage(text)]),
    ),
  );
}
