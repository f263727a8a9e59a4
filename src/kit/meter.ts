/** Counts and times events, under the same dotted names as the log. */
export interface Meter {
  readonly count: (event: string, labels?: Readonly<Record<string, string>>, by?: number) => void;
  readonly observe: (event: string, ms: number, labels?: Readonly<Record<string, string>>) => void;
}

export const noMeter: Meter = { count() {}, observe() {} };
