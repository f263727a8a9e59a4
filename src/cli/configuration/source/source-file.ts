import {
  LineCounter,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLMap,
} from "yaml";

import { isPrototypeKey } from "../../../kit/safe-json.ts";
import type { Faults } from "./faults.ts";
import type { LinePosition, SourceFile } from "./source-location.ts";

export interface SourceText {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
}

/** A reference to an anchor counts once, and where anchors refer to anchors, as often as they come out. */
const MAX_ALIASES = 100_000;
const DEEPEST = 30;
const MAX_NODES = 5_000_000;
const MAX_SYNTAX_FAULTS = 20;

/** Parses YAML or JSON, which is YAML too. Undefined, with the faults, where it is neither. */
export function parseSource(
  { name, folder, text }: SourceText,
  faults: Faults,
): SourceFile | undefined {
  const counter = new LineCounter();
  const positionAt = (offset: number): LinePosition => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    lineCounter: counter,
    prettyErrors: false,
    // Compared pair by pair it takes minutes for many thousand keys: see `faultsOfKeys`.
    uniqueKeys: false,
    merge: true,
    logLevel: "error",
  });
  const troubles = [...document.errors, ...document.warnings];
  for (const { message, pos } of troubles.slice(0, MAX_SYNTAX_FAULTS))
    faults.addAt(name, positionAt(pos[0]), sentenceOf(message));
  if (troubles.length > 0) return undefined;
  const before = faults.count();
  addFaultsOfKeys(document, (offset, message) => faults.addAt(name, positionAt(offset), message));
  if (faults.count() > before) return undefined;
  const value = valueOf(document, (message) => faults.addAt(name, { line: 1, column: 1 }, message));
  if (value === undefined) return undefined;
  return { name, folder, value, positionOf: finder(document, positionAt) };
}

function sentenceOf(message: string): string {
  if (message.startsWith("Source contains multiple documents"))
    return "a file has one document, without ---";
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Undefined if it is too large, or has unresolved aliases. */
function valueOf(document: Document.Parsed, refuse: (message: string) => void): unknown {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  } catch (error) {
    refuse(error instanceof Error ? sentenceOf(error.message) : "cannot be read");
    return undefined;
  }
  let nodes = 0;
  const isTooMuch = (inner: unknown, depth: number): boolean => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > DEEPEST) return true;
    if (typeof inner !== "object" || inner === null) return false;
    return Object.values(inner).some((each) => isTooMuch(each, depth + 1));
  };
  if (!isTooMuch(value, 0)) return value;
  refuse(
    nodes > MAX_NODES
      ? `more than ${MAX_NODES} values, those of aliases counted each time`
      : `nested deeper than ${DEEPEST} levels`,
  );
  return undefined;
}

/** Keys that are there twice, that are no text, or that no record can have. */
function addFaultsOfKeys(
  document: Document.Parsed,
  add: (offset: number, message: string) => void,
): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const [offset = 0] = (isNode(key) ? key.range : map.range) ?? [];
        if (!isScalar(key)) {
          add(offset, "a key must be text");
          continue;
        }
        const name = String(key.value);
        // A merge may be repeated; what it merges is compared with nothing.
        if (name !== "<<" && seen.has(name)) add(offset, `${name}: is there twice`);
        if (isPrototypeKey(name)) add(offset, `key not allowed ${JSON.stringify(name)}`);
        seen.add(name);
      }
    },
  });
}

function finder(
  document: Document.Parsed,
  positionAt: (offset: number) => LinePosition,
): SourceFile["positionOf"] {
  const maps = new WeakMap<YAMLMap, ReadonlyMap<string, { key: Node; value: unknown }>>();
  const membersOf = (map: YAMLMap) => {
    const known = maps.get(map);
    if (known !== undefined) return known;
    const members = new Map(
      map.items.flatMap(({ key, value }) =>
        isScalar(key) ? [[String(key.value), { key, value }] as const] : [],
      ),
    );
    maps.set(map, members);
    return members;
  };
  return (path) => {
    let offset = document.contents?.range?.[0] ?? 0;
    let node: unknown = document.contents;
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const member = membersOf(node).get(String(part));
        if (member === undefined) break;
        offset = member.key.range?.[0] ?? offset;
        node = member.value;
      } else if (isSeq(node)) {
        node = node.items[Number(part)];
        if (isNode(node)) offset = node.range?.[0] ?? offset;
      } else break;
    }
    return positionAt(offset);
  };
}
