/** Sends a GET to the API, with the session of the browser where there is no token. For a status other than 200 it throws an error with that status. */
export async function getJson(token, path) {
  const headers = token === null ? {} : { authorization: `Basic ${btoa(`${token}:`)}` };
  const response = await fetch(`/api/1/${path}`, { headers });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.error), { status: response.status });
  return body;
}
