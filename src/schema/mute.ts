import type { Mute } from "../domain/contact/mute.ts";
import { parseFlag } from "../kit/flag.ts";
import { field } from "./field.ts";
import { parseInteger } from "./scalars.ts";

/** A switch, or an instant in ms until which it lasts. */
export const mute = field<Mute>({
  expected: "must be true, false, or the ms since 1970 until which it lasts",
  jsonSchema: { type: ["boolean", "integer", "string"], minimum: 0 },
  parse(value) {
    const flag = parseFlag(value);
    if (flag !== undefined) return flag;
    const until = parseInteger(value);
    return until !== undefined && until > 1 ? until : undefined;
  },
});
