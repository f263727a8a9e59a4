import type { Schedule } from "../domain/schedule.ts";

export interface ScheduleReads {
  readonly find: (accountId: string, name: string) => Promise<Schedule | undefined>;
  /** By name. */
  readonly list: (accountId: string) => Promise<readonly Schedule[]>;
}

export interface ScheduleWrites {
  /** Creates it or replaces it whole. */
  readonly put: (accountId: string, schedule: Schedule) => Promise<void>;
  readonly remove: (accountId: string, name: string) => Promise<boolean>;
}
