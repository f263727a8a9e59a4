/** What `doctor` found of one thing: green is well, amber works and could be better, red does not work. */
export interface Finding {
  readonly name: string;
  readonly state: "green" | "amber" | "red";
  readonly found: string;
  /** What to do; missing where it is well. */
  readonly advice?: string | undefined;
}
