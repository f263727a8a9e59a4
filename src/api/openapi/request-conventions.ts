/** How requests are written, for people; Markdown. */
export const requestConventions = `**Token.** \`token\` in the query, the form or the JSON, or the user name of HTTP Basic authentication; the password does not matter. Of both, the parameter
counts. The token belongs to a primary account and may do everything on it and on its subaccounts. Pages of any origin may call the API.

**Account.** \`customerid\` names a subaccount; without it the request is about the token's own account. A record is found only in the account that it
belongs to. Where the ids of records begin with their account's, an account id in the path stands for \`customerid\`.

**Parameters** may be sent in any of these ways, on every verb, GET and DELETE included:

1. in the query
2. in a form body
3. as an object in the parameter \`json\` of the query
4. as an object in the parameter \`json\` of a form
5. as a JSON body

Where a parameter is sent more than once, the later way of this list wins; an id in the path wins over all. A body that begins with \`{\` is read as JSON whatever its
type says.

- Unknown parameters are ignored. \`null\` is not sent. Empty text is not sent, unless the parameter says otherwise.
- Booleans are \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\`, \`off\`, as JSON or as text in any case.
- Lists and objects are JSON, JSON text (\`fields={"a":{"name":"load"}}\`) or brackets (\`fields[a][name]=load\`, \`runlocations[]=nam\`). Keys that count from 0 make a list.
- Instants are ms since 1970, \`YYYY-MM-DD HH:MM:SS\` or a beginning of it, ISO 8601, or a date as in mail (RFC 2822); GMT unless they name a zone.
- A query parameter that is repeated is a list: \`id=a&id=b\`.

**Verb.** The parameter \`action\` stands in for the verb, in any case: \`?action=DELETE\`. It also names the other operations, such as \`CURRENT\`; where those
have a name, it may be the first segment of the path instead, by GET or POST: \`/results/current\`.

**Paths** may end in a slash. An operation that takes no id makes nothing of one in the path. HEAD answers as GET does, without the body.`;
