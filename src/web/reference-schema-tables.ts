import { html, type Part, type Safe } from "../kit/html.ts";
import { sentence } from "./reference-prose.ts";

/** The parts of a JSON Schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The type of a value, in a few words. */
export function typeOf(schema: Schema): Part {
  const { $ref, type, enum: values, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split("/").at(-1) ?? "";
    return html`<a href="#record-${name}">${name}</a>`;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return joined(choices.map(typeOf), " or ");
  if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (values !== undefined)
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ", ",
    );
  const types = [type ?? []].flat();
  if (types.includes("array"))
    return html`list${items === undefined ? "" : html` of ${typeOf(items)}`}`;
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    return html`object of ${typeOf(additionalProperties)}`;
  return `${types.join(" or ") || "any"}${boundsOf(schema)}`;
}

function boundsOf({ minimum, maximum, maxLength }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  if (maximum !== undefined) return ` up to ${maximum}`;
  return maxLength === undefined ? "" : `, at most ${maxLength} characters`;
}

function joined(parts: readonly Part[], separator: string): Part {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** The members of an object, and below them those of objects in it. Required ones are marked in requests, optional ones in responses. */
export function membersOf(schema: Schema, marked: "required" | "optional" = "optional"): Part {
  const { properties, required = [], allOf } = schema;
  if (allOf !== undefined)
    return allOf.map((part) =>
      part.$ref === undefined
        ? membersOf(part, marked)
        : html`<p>With the members of ${typeOf(part)}.</p>`,
    );
  if (properties === undefined) return html`<p>${typeOf(schema)}</p>`;
  return html`<table>
    <tbody>
      ${Object.entries(properties).map(([name, member]) =>
        memberRow(name, member, required.includes(name) === (marked === "required") ? marked : ""),
      )}
    </tbody>
  </table>`;
}

function memberRow(name: string, member: Schema, mark: string): Safe {
  const inner = innerObject(member);
  return html`<tr>
    <th scope="row"><code>${name}</code> <em>${mark}</em></th>
    <td>${typeOf(member)}</td>
    <td>
      ${sentence(member.description ?? "")} ${inner === undefined ? undefined : membersOf(inner)}
    </td>
  </tr>`;
}

/** The object in a member that has no name of its own; the member may be a list or a map of such objects. */
function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return innerObject(schema.items);
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object") return innerObject(additionalProperties);
  return schema.anyOf?.map(innerObject).find((each) => each !== undefined);
}
