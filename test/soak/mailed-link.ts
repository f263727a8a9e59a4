import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { ReceivedMail } from "../peers/smtp.ts";

const LOOK_MS = 100;
const MAX_DURATION_MS = 30_000;

/** The newest link of the path that was mailed to the mailbox after the first `seen` mails; undefined where none comes in time. */
export async function mailedLink(
  mails: () => readonly ReceivedMail[],
  {
    mailbox,
    path,
    seen,
  }: { readonly mailbox: string; readonly path: string; readonly seen: number },
): Promise<string | undefined> {
  const end = systemClock.monotonic() + MAX_DURATION_MS;
  for (;;) {
    const text = mails()
      .slice(seen)
      .filter(({ to }) => to.includes(mailbox))
      .map(({ raw }) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))
      .join("\n");
    const [link] = [...text.matchAll(/http[^\s"<>]+/g)]
      .map(([url]) => new URL(url.replaceAll("&amp;", "&")))
      .filter(({ pathname }) => pathname === path)
      .slice(-1);
    if (link !== undefined) return link.pathname + link.search;
    if (systemClock.monotonic() > end) return undefined;
    await sleep(systemClock, LOOK_MS);
  }
}
