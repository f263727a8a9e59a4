/** What every mail of ours carries: one id on all attempts, and that no machine is to answer it (RFC 3834). */
export function mailHeaders(id: string, host: string): Readonly<Record<string, string>> {
  return {
    "Message-ID": `<${id}@${host}>`,
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
  };
}

/** Who reads mails may stop them with one click (RFC 8058). */
export function withUnsubscribe(link: string): Readonly<Record<string, string>> {
  return { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** All mails of an outage answer the same one, which nobody has: that makes them one conversation (RFC 5322, 3.6.4). */
export function ofOutage(outage: string, host: string): Readonly<Record<string, string>> {
  const id = `<${outage}.outage@${host}>`;
  return { "In-Reply-To": id, References: id };
}
