/** What every mail of ours carries: one id on all attempts, and that no machine is to answer it (RFC 3834). */
export function mailHeaders(id: string, host: string): Readonly<Record<string, string>> {
  return {
    "Message-ID": `<${id}@${host}>`,
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
  };
}
