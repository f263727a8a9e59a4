/** How far long work is, on a line of the terminal that is written over. */
export interface ProgressLine {
  /** `share` is from 0 to 1; 0 is not shown. */
  readonly show: (what: string, share: number) => void;
  /** Before anything else is written, and at the end. */
  readonly clear: () => void;
}

export function progressLine(write: (text: string) => void): ProgressLine {
  let shown = "";
  return {
    show(what, share) {
      const line = share > 0 ? `${what} ${Math.floor(share * 100)} %` : what;
      if (line === shown) return;
      shown = line;
      write(`\r\u001B[K${line}`);
    },
    clear() {
      if (shown !== "") write("\r\u001B[K");
      shown = "";
    },
  };
}
