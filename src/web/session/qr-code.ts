import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";

/** Modules of white around it, without which scanners do not find it (ISO/IEC 18004). */
const QUIET = 4;

/** An SVG element without styles, which the policy of the pages refuses. Black on white also by night: not every scanner reads the inverse. */
export function qrCode(text: string, label: string): string {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  const area = `x="${-QUIET}" y="${-QUIET}" width="${side}" height="${side}"`;
  return `<svg class="qr" role="img" aria-label="${label}" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" shape-rendering="crispEdges"><rect ${area} fill="#fff"/><path d="${toSvgPath(code)}" fill="#000"/></svg>`;
}
