import type { ReactElement } from "react";

const SIZE = 24;
const MAX_LETTERS = 2;
const DEGREES = 360;
const FACTOR = 31;

/** A mark of our own for a service: the first letters of its name, on a color of its own. It is no logo. */
export function ServiceMark({ name }: { readonly name: string }): ReactElement {
  return (
    <svg width={SIZE} height={SIZE} viewBox="0 0 24 24" aria-hidden="true" style={{ flex: "none" }}>
      <rect width="24" height="24" rx="6" fill={`hsl(${hueOf(name)} 45% 36%)`} />
      <text x="12" y="16" textAnchor="middle" fontSize="11" fontWeight="700" fill="#fff">
        {lettersOf(name)}
      </text>
    </svg>
  );
}

function hueOf(name: string): number {
  const codes = Array.from(name, (letter) => letter.codePointAt(0) ?? 0);
  return codes.reduce((hue, code) => (hue * FACTOR + code) % DEGREES, 0);
}

function lettersOf(name: string): string {
  const words = name.split(/[\s.()-]+/).filter((word) => word !== "");
  const [first = "", second] = words;
  return (
    second === undefined ? first.slice(0, MAX_LETTERS) : `${first.charAt(0)}${second.charAt(0)}`
  ).toUpperCase();
}
