import type { Random } from "../chaos/random.ts";
import { pieces } from "./texts.ts";

/** Maximum size of a body and of the keys of its JSON. */
const BODY = 1_000_000;
const KEYS = 9000;
/** Each of a list and an object. */
const LEVELS = 9;

/** Returns a hostile JSON value for a parameter: with the maximum length, depth, and entries of a request or of the parameter. */
export function hostileValue(random: Random, maxLength: number): unknown {
  const piece = random.pick(pieces);
  const repeated = (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  switch (random.pick(["longest", "too long", "padded", "list", "object", "deep", "records"])) {
    case "longest":
      return repeated(maxLength);
    case "too long":
      return repeated(BODY / 2);
    case "padded":
      return `${repeated(Math.floor(maxLength / 2))}1${repeated(Math.floor(maxLength / 2) - 1)}`;
    case "list":
      return Array.from({ length: KEYS }, (_, no) => `${piece}${no}`);
    case "object":
      return Object.fromEntries(Array.from({ length: KEYS }, (_, no) => [`${piece}${no}`, piece]));
    case "records":
      return Array.from({ length: KEYS / 2 }, (_, no) => ({ [`${piece}${no}`]: piece }));
    default:
      return Array.from({ length: LEVELS }).reduce((inner) => [{ [piece]: inner }, piece], piece);
  }
}
