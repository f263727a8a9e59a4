/** How old what is shown is, where nothing newer can be read or committed. */
export interface Outdated {
  /** In ms since 1970. */
  readonly since: number;
  readonly ageMs: number;
}
