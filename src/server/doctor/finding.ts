/** Finding of `doctor` about one subject: green is well, amber works but could be better, red does not work. */
export interface Finding {
  readonly name: string;
  readonly state: "green" | "amber" | "red";
  readonly found: string;
  /** Advice; missing if all is well. */
  readonly advice?: string | undefined;
}
