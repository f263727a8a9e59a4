import { isDeepStrictEqual } from "node:util";

import type { CheckType } from "../../../checks/check-type.ts";
import { parseFlag } from "../../../kit/flag.ts";
import type { Call } from "../../http/auth.ts";
import type { RawValues } from "../../http/parse-request.ts";
import { typeParameters } from "./input.ts";
import { commonParameters } from "./merge-parameters.ts";

interface Sent {
  readonly type: CheckType;
  readonly sent: RawValues;
  readonly stored: RawValues;
}

/** Names the parameters that a check of this type does not keep, or keeps without effect. A record that is sent back whole has nothing new. */
export function warnOfUnusedParameters({ type, sent, stored }: Sent, warn: Call["warn"]): void {
  const own = type.schema.shape;
  for (const [name, value] of Object.entries(sent)) {
    const isNew = !isUnset(value) && !isDeepStrictEqual(value, stored[name]);
    if (!isNew || !Object.hasOwn(typeParameters, name)) continue;
    if (type.assigned.includes(name))
      warn(
        `${name}: assigned by Watchpost, and only changed by reset, so the sent one was ignored`,
      );
    else if (Object.hasOwn(own, name)) continue;
    else if (commonParameters.includes(name))
      warn(`${name}: kept, without effect on a check of type ${type.type}`);
    else warn(`${name}: no parameter of a check of type ${type.type}, and ignored`);
  }
}

/** Clients send such values of every parameter that they know, and `reset` of a token that they do not. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === "reset") return true;
  if (typeof value === "object") return Object.keys(value).length === 0;
  return parseFlag(value) === false;
}
