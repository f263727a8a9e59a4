/** The error of a connection that was closed too early, as Node reports it. */
export function connectionClosed(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
