import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Heading above it. */
  readonly heading: string;
}

/** The blocks of code of a document, in their order; those of a list are indented there. */
export function documentBlocks(document: string): readonly Block[] {
  const text = readFileSync(join(root, document), "utf8");
  const parts = text.matchAll(
    /^#+ (?<heading>[^\n]+)$|^(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/gms,
  );
  let heading = "";
  return [...parts].flatMap(({ groups = {} }) => {
    heading = groups["heading"] ?? heading;
    const { language, indent = "", text: block = "" } = groups;
    if (language === undefined) return [];
    return [{ language, heading, text: block.replaceAll(new RegExp(`^${indent}`, "gm"), "") }];
  });
}

/** The text of the blocks in that language. */
export function blocksOf(document: string, language: string): readonly string[] {
  return documentBlocks(document).flatMap((block) =>
    block.language === language ? [block.text] : [],
  );
}
