/** What is thrown where the other side closed too early, as Node itself says it. */
export function connectionClosed(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
