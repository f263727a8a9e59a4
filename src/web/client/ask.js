/** Reads from the API; throws an error with the status where it refuses. */
export async function ask(token, path) {
  const headers = { authorization: `Basic ${btoa(`${token}:`)}` };
  const response = await fetch(`/api/1/${path}`, { headers });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.error), { status: response.status });
  return body;
}
