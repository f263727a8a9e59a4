/** The conventions of requests, as Markdown. */
export const requestConventions = `**Token.** \`token\` in the query, the form or the JSON, \`Authorization: Bearer\`, or the user name of HTTP Basic authentication; the password is ignored. If both are sent, the parameter
counts. A token belongs to a primary account and has full access to it and to its subaccounts. Pages of any origin may call the API.

**Account.** \`customerid\` names a subaccount; without it the request is about the token's own account. A record is found only in the account that it
belongs to. Where the ids of records begin with the id of their account, an account id in the path stands for \`customerid\`.

**Parameters** may be sent in any of these ways, with every method, GET and DELETE included:

1. in the query
2. in a form body
3. as an object in the parameter \`json\` of the query
4. as an object in the parameter \`json\` of a form or of a JSON body
5. as a JSON body

Where a parameter is sent more than once, the later of these takes precedence; an id in the path takes precedence over all. A body that begins with \`{\` is parsed as JSON, whatever its
content type.

- What is not understood is ignored, and named in the response: in the header \`X-Watchpost-Warning\`, and for one record or a write in its member \`warning\` too. \`null\` is the same as not sent, and so is empty text unless the parameter says otherwise.
- Booleans are \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\`, \`off\`, as JSON or as text in any case.
- Lists and objects are JSON, JSON text (\`fields={"a":{"name":"load"}}\`) or brackets (\`fields[a][name]=load\`, \`runlocations[]=nam\`). Keys that count from 0 make a list.
- Instants are ms since 1970, \`YYYY-MM-DD HH:MM:SS\` or a prefix of it, ISO 8601, or a date as in mail (RFC 2822); GMT unless they name a zone.
- A query parameter that is repeated is a list: \`id=a&id=b\`.

**Method.** The parameter \`action\` replaces the method, in any case: \`?action=DELETE\`. It also selects operations that are no methods, such as \`CURRENT\`; their
name may be the first segment of the path instead, with GET or POST: \`/results/current\`.

**Paths** may end in a slash. An operation that takes no id ignores one in the path. HEAD is the same as GET, without the body.`;
