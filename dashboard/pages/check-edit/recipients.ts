type Stored = Readonly<Record<string, unknown>>;

/** A row of the notifications of a check. */
export interface Recipient {
  /** ID of a contact, an address, a group, or a profile; empty if none is chosen yet. */
  readonly id: string;
  readonly schedule: string;
  readonly delay: number | string;
  readonly repeat: number | string;
  /** Values that the form does not show and keeps. */
  readonly rest: Stored;
}

export const ALWAYS = "All";
const NOBODY = "None";

export function newRecipient(id = ""): Recipient {
  return { id, schedule: ALWAYS, delay: 0, repeat: "", rest: {} };
}

export function recipientsOf(notifications: readonly Stored[]): readonly Recipient[] {
  return notifications.flatMap((entry) =>
    Object.entries(entry).map(([id, value]) => {
      if (typeof value === "string") return { ...newRecipient(id), schedule: value };
      const { schedule, delay, repeat, ...rest } = asRecord(value);
      return {
        id,
        schedule: typeof schedule === "string" && schedule !== "" ? schedule : ALWAYS,
        delay: Number(delay ?? 0),
        repeat: repeat === undefined ? "" : Number(repeat),
        rest,
      };
    }),
  );
}

/** An empty list would change nothing: each recipient of before is removed by name. */
export function notificationsOf(
  recipients: readonly Recipient[],
  before: readonly Recipient[],
): readonly Stored[] {
  const chosen = recipients.filter(({ id }) => id !== "");
  if (chosen.length === 0) return before.map(({ id }) => ({ [id]: NOBODY }));
  return chosen.map(({ id, schedule, delay, repeat, rest }) => ({
    [id]: {
      ...rest,
      schedule,
      delay: Number(delay),
      ...(repeat !== "" && { repeat: Number(repeat) }),
    },
  }));
}

function asRecord(value: unknown): Stored {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
