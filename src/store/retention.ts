/** How many days results are kept: a month of minutes and one more, so that the longest month is whole. */
export const RESULTS_KEPT_DAYS = 31;
/** How many days everything else that people look back at is kept, unless set: thirteen months. */
export const HISTORY_KEPT_DAYS = 396;

/** How many days summaries of results are kept. */
export interface SummaryDays {
  readonly hourly: number;
  readonly daily: number;
}

/** Three months, and five years. */
export const SUMMARIES_KEPT_DAYS: SummaryDays = { hourly: 90, daily: 1826 };
