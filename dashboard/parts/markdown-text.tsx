import { Anchor, Code, Text } from "@mantine/core";
import { Fragment, type ReactElement, type ReactNode } from "react";

import {
  parseMarkdown,
  type MarkdownBlock,
  type MarkdownPiece,
} from "../../src/domain/status/markdown.ts";
import { ForeignText } from "./foreign-text.tsx";

/** A text as status pages show it, by the same parser. */
export function MarkdownText({ children }: { readonly children: string }): ReactElement {
  // Parts of a text have no IDs, and it is rendered as a whole.
  /* oxlint-disable react/no-array-index-key */
  return (
    <>
      {parseMarkdown(children).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </>
  );
}

function Block({ block: { kind, lines } }: { readonly block: MarkdownBlock }): ReactElement {
  const drawn: readonly ReactNode[] = lines.map((line) =>
    line.map((piece, index) => <Piece key={index} piece={piece} />),
  );
  if (kind === "list")
    return (
      <Text component="ul" my={4} pl="lg">
        {drawn.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </Text>
    );
  return (
    <Text my={4} fw={kind === "heading" ? 700 : undefined}>
      {drawn.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </Text>
  );
}

function Piece({ piece }: { readonly piece: MarkdownPiece }): ReactElement {
  const words = <ForeignText>{piece.text}</ForeignText>;
  if (piece.kind === "strong") return <strong>{words}</strong>;
  if (piece.kind === "emphasis") return <em>{words}</em>;
  if (piece.kind === "code") return <Code>{words}</Code>;
  if (piece.kind === "link")
    return (
      <Anchor
        href={piece.url}
        target="_blank"
        rel="nofollow noopener noreferrer"
        underline="always"
      >
        {words}
      </Anchor>
    );
  return words;
}
