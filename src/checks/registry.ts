import type { CheckType } from "./check-type.ts";
import { httpCheck } from "./http.ts";
import { portCheck } from "./port.ts";
import { pushCheck } from "./push.ts";

export const checkTypes = [httpCheck, portCheck, pushCheck] as const satisfies readonly CheckType[];

const byName: ReadonlyMap<string, CheckType> = new Map(
  checkTypes.map((checkType) => [checkType.type, checkType]),
);

/** The check type of that name, in whatever case it was written. */
export function checkTypeOf(type: string): CheckType | undefined {
  return byName.get(type.toUpperCase());
}
