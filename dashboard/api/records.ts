interface Identified {
  readonly _id: string;
}

/** Response of an operation that returns one record by its ID, or all by ID. */
type OneOrById<Kept extends Identified> = Kept | Readonly<Record<string, Kept>>;

/** The record that was asked for. */
export function recordOf<Kept extends Identified>(answer: OneOrById<Kept>): Kept {
  if (isRecord(answer)) return answer;
  throw new Error("the answer is no record");
}

/** All records. */
export function recordsOf<Kept extends Identified>(answer: OneOrById<Kept>): readonly Kept[] {
  return isRecord(answer) ? [answer] : Object.values(answer);
}

function isRecord<Kept extends Identified>(answer: OneOrById<Kept>): answer is Kept {
  return typeof answer._id === "string";
}
