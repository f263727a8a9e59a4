type Step = readonly [string, () => void | Promise<void>];
export function npmSteps(_folder: string): readonly Step[] {
  return [];
}
