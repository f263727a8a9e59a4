import { html, textOf, verbatim, type Safe } from "../kit/html.ts";
import { prose, sentence } from "./reference-prose.ts";
import { membersOf, typeOf, type Schema } from "./reference-schema-tables.ts";

/** The parts of an OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly content?: Content; readonly $ref?: string }
    >
  >;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Endpoint extends Operation {
  readonly verb: string;
  readonly path: string;
}

/** An operation of a resource, and the same at the path of one record. */
interface Entry {
  readonly endpoint: Endpoint;
  readonly ofRecord: Endpoint | undefined;
}

const BY_ID = "/{id}";

/** The API reference as one page that needs no script: an index, every operation, and every record. */
export function referencePage(document: ApiDocument): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).map(([verb, operation]): Endpoint => ({ ...operation, verb, path })),
  );
  const entries = entriesOf(endpoints);
  const sections = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ endpoint }) => endpoint.tags.includes(tag.name)),
  }));
  const root = document.servers[0]?.url ?? "";
  const { schemas } = document.components;
  const shownInPlace = new Set(endpoints.map(bodyNameOf).filter((name) => isObject(schemas[name])));
  const records = Object.entries(schemas)
    .filter(([name]) => !shownInPlace.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return textOf(
    html`${verbatim("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Watchpost API</title>
          <link rel="stylesheet" href="/docs/reference.css" />
          <script src="/docs/reference.js" defer></script>
        </head>
        <body>
          <header>
            <h1><a href="/">Watchpost</a> API <small>${document.info.version}</small></h1>
            <a href="${root}/openapi.json">OpenAPI document</a>
          </header>
          <nav aria-label="Index">
            <ul>
              <li><a href="#requests">Requests</a></li>
              ${sections.map(indexOf)}
              <li><a href="#records">Records</a></li>
            </ul>
          </nav>
          <main>
            <section id="requests" data-searched>
              <h2>Requests</h2>
              ${prose(document.info.description)}
            </section>
            ${sections.map(
              ({ name, description, entries: own }) =>
                html`<section id="tag-${name}">
                  <h2>${name}</h2>
                  <p>${description}.</p>
                  ${own.map((entry) => operationPart(entry, { root, schemas }))}
                </section>`,
            )}
            <section id="records">
              <h2>Records</h2>
              ${records.map(
                ([name, schema]) =>
                  html`<article id="record-${name}" data-searched>
                    <h3>${name}</h3>
                    <p>${sentence(schema.description ?? "")}</p>
                    ${membersOf(schema)}
                  </article>`,
              )}
            </section>
          </main>
        </body>
      </html>`,
  );
}

/** A path with an id and the path without it are one entry, because they are one operation. */
function entriesOf(endpoints: readonly Endpoint[]): readonly Entry[] {
  const keyOf = ({ verb, path }: Endpoint): string => `${verb} ${path}`;
  const byKey = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  return endpoints
    .filter(
      ({ verb, path }) =>
        !(path.endsWith(BY_ID) && byKey.has(`${verb} ${path.slice(0, -BY_ID.length)}`)),
    )
    .map((endpoint) => ({ endpoint, ofRecord: byKey.get(`${keyOf(endpoint)}${BY_ID}`) }));
}

function bodyOf({ requestBody }: Operation): Content[string] | undefined {
  return Object.values(requestBody?.content ?? {})[0];
}

function bodyNameOf(operation: Operation): string {
  return bodyOf(operation)?.schema.$ref?.split("/").at(-1) ?? "";
}

function isObject(schema: Schema | undefined): schema is Schema {
  return schema?.properties !== undefined;
}

function indexOf({
  name,
  entries,
}: {
  readonly name: string;
  readonly entries: readonly Entry[];
}): Safe {
  return html`<li>
    <a href="#tag-${name}">${name}</a>
    <ul>
      ${entries.map(
        ({ endpoint: { operationId, verb, path, summary }, ofRecord }) =>
          html`<li>
            <a href="#${operationId}" title="${summary}"
              ><b class="${verb}">${verb.toUpperCase()}</b> ${path}${ofRecord && `[${BY_ID}]`}</a
            >
          </li>`,
      )}
    </ul>
  </li>`;
}

interface Context {
  readonly root: string;
  readonly schemas: ApiDocument["components"]["schemas"];
}

function operationPart({ endpoint, ofRecord }: Entry, { root: apiRoot, schemas }: Context): Safe {
  const { operationId, verb, path, description } = endpoint;
  const root = endpoint.servers?.[0]?.url ?? apiRoot;
  const body = bodyOf(endpoint);
  const own = schemas[bodyNameOf(endpoint)];
  const parameters = parametersOf(endpoint, ofRecord);
  return html`<article
    id="${operationId}"
    data-searched
    data-verb="${verb.toUpperCase()}"
    data-path="${root}${path}"
    data-example="${JSON.stringify(exampleOf(parameters, body?.example))}"
  >
    <h3>
      <a href="#${operationId}"
        ><b class="${verb}">${verb.toUpperCase()}</b> <code>${path}</code></a
      >
      ${
        ofRecord &&
        html`<br /><a id="${ofRecord.operationId}" href="#${ofRecord.operationId}"
            ><b class="${verb}">${verb.toUpperCase()}</b> <code>${ofRecord.path}</code></a
          >`
      }
    </h3>
    <p>${sentence(description)}</p>
    ${
      parameters.length === 0
        ? undefined
        : html`<h4>Parameters</h4>
            ${parameterTable(parameters)}`
    }
    ${
      body &&
      html`<h4>Body</h4>
        ${isObject(own) ? membersOf(own, "required") : html`<p>${typeOf(body.schema)}</p>`}`
    }
    ${exampleBlock(body?.example)}
    <h4>Response</h4>
    ${[endpoint, ofRecord].map((each) => each && responsePart(each))}
    <p>Errors: ${errorsOf(endpoint)}</p>
  </article>`;
}

/** A parameter that only one of the two paths takes is shown once. */
function parametersOf(endpoint: Endpoint, ofRecord: Endpoint | undefined): readonly Parameter[] {
  const all = [...(endpoint.parameters ?? []), ...(ofRecord?.parameters ?? [])];
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
}

function exampleOf(
  parameters: readonly Parameter[],
  body: unknown,
): Readonly<Record<string, unknown>> {
  const named = parameters.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  );
  return { ...Object.fromEntries(named), ...(typeof body === "object" && body) };
}

function parameterTable(parameters: readonly Parameter[]): Safe {
  return html`<table>
    <tbody>
      ${parameters.map(
        ({ name, in: place, required, description = "", schema }) =>
          html`<tr>
            <th scope="row">
              <code>${name}</code>
              ${place === "path" ? html`<em>in the path</em>` : required === true ? html`<em>required</em>` : undefined}
            </th>
            <td>${typeOf(schema)}</td>
            <td>${sentence(description)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function responsePart({ path, responses }: Endpoint): Safe {
  const answer = responses["200"]?.content?.["application/json"];
  return html`<p><code>${path}</code>: ${answer ? typeOf(answer.schema) : "no body"}</p>
    ${exampleBlock(answer?.example)}`;
}

function errorsOf({ responses }: Endpoint): string {
  return Object.entries(responses)
    .filter(([status]) => status !== "200")
    .map(([status, { description, $ref }]) => {
      const name = $ref?.split("/").at(-1)?.replaceAll("_", " ");
      return `${status} ${description ?? name}`;
    })
    .join(", ");
}

const MAX_EXAMPLE_LENGTH = 4000;

function exampleBlock(example: unknown): Safe | undefined {
  if (example === undefined) return undefined;
  const text = JSON.stringify(example, undefined, 2);
  const shown = text.length > MAX_EXAMPLE_LENGTH ? `${text.slice(0, MAX_EXAMPLE_LENGTH)}\n…` : text;
  return html`<details>
    <summary>Example</summary>
    <pre>${shown}</pre>
  </details>`;
}
