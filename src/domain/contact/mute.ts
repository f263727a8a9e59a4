/** True mutes for good, a number until that instant in ms, false not at all. */
export type Mute = boolean | number;

export function isMuted(mute: Mute, now: number): boolean {
  return typeof mute === "number" ? now < mute : mute;
}
