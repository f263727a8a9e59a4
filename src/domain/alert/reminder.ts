const MINUTE_MS = 60_000;

/** Reminder settings: one reminder per interval after the Down, while the check stays down and is not acknowledged. */
export interface Repeat {
  readonly everyMinutes: number;
  /** Maximum number of reminders. */
  readonly count?: number | undefined;
  /** Minutes after the Down within which reminders are sent. */
  readonly forMinutes?: number | undefined;
}

/** The most of one outage to one address: each is a row that is kept for as long as the outage lasts. */
export const maxReminders = 1000;

/** Remaining reminders of an alert: their interval and the number of the last one. */
export interface Reminding {
  readonly everyMinutes: number;
  readonly lastNumber: number;
}

/** Undefined if no reminder would be due in time. */
export function remindingOf(repeat: Repeat | undefined): Reminding | undefined {
  if (repeat === undefined) return undefined;
  const { everyMinutes, count = maxReminders, forMinutes } = repeat;
  const fitting = forMinutes === undefined ? maxReminders : Math.floor(forMinutes / everyMinutes);
  const lastNumber = Math.min(count, fitting, maxReminders);
  return lastNumber < 1 ? undefined : { everyMinutes, lastNumber };
}

/** The next reminder after an alert that has ended: number n is due n times the interval after the Down, and those whose time is past are left out. */
export function nextReminder(
  {
    number,
    dueAt,
    reminding,
  }: { readonly number: number; readonly dueAt: number; readonly reminding: Reminding },
  now: number,
): { readonly number: number; readonly dueAt: number } | undefined {
  const everyMs = reminding.everyMinutes * MINUTE_MS;
  const steps = Math.max(1, Math.floor((now - dueAt) / everyMs) + 1);
  const next = number + steps;
  return next > reminding.lastNumber ? undefined : { number: next, dueAt: dueAt + steps * everyMs };
}
