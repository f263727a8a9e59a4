import ts from "@typescript/typescript6";

/** A part of a text that another takes the place of. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * The comment before a guard: its name, and what stands in the place of what follows without it, unless that is nothing. A test that shows
 * the guard has the same comment before its title.
 */
const MARK = /\/[/*] guard: ([^=*\n]+?)(?: = ([^\n]+?))?(?: \*\/|$)/gm;
const TRIVIA = /(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*/y;

export interface Mark {
  readonly name: string;
  readonly operation: string | undefined;
  /** Where what follows begins. */
  readonly position: number;
}

export function marksIn(source: string): readonly Mark[] {
  return [...source.matchAll(MARK)].map(({ index, 0: mark, 1: name = "", 2: operation }) => {
    TRIVIA.lastIndex = index + mark.length;
    TRIVIA.test(source);
    return { name, operation, position: TRIVIA.lastIndex };
  });
}

const LITERAL = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/;

/** The title of the test after a mark: the first text there, or what the mark says where the title comes from elsewhere. */
export function titleAt(source: string, { operation, position }: Mark): string {
  if (operation !== undefined) return operation;
  const [literal = ""] = LITERAL.exec(source.slice(position)) ?? [];
  const text = literal.slice(1, -1).replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "…");
  return text.replaceAll(/\\(.)/g, "$1");
}

/** A source without a guard, which may be marked at several places of it. */
export function withoutGuard(file: string, source: string, name: string): string {
  const marks = marksIn(source).filter((mark) => mark.name === name);
  return marks.toReversed().reduce((rest, { position, operation }) => {
    const tree = ts.createSourceFile(file, rest, ts.ScriptTarget.Latest, true);
    const edit = editAt(tree, position, operation);
    if (edit === undefined) throw new Error(`${file}: nothing to remove for the guard ${name}`);
    return `${rest.slice(0, edit.start)}${edit.replacement}${rest.slice(edit.end)}`;
  }, source);
}

/** The edit of what begins at a position of the source: all of it is removed, or what an operation says takes the place of its value. */
function editAt(
  tree: ts.SourceFile,
  start: number,
  operation: string | undefined,
): Edit | undefined {
  const nodes = nodesAt(tree, start);
  const [whole] = nodes;
  if (operation === undefined) {
    const link = linkAt(tree, start);
    return link === undefined
      ? whole && removalOf(whole)
      : { start, end: link.end, replacement: "" };
  }
  const it = nodes.flatMap((node) => valueOf(node) ?? []).at(0);
  if (whole === undefined || it === undefined) return undefined;
  if (operation === "then" && ts.isIfStatement(whole)) return replace(whole, whole.thenStatement);
  if (operation === "then")
    return ts.isConditionalExpression(it) ? replace(it, it.whenTrue) : undefined;
  if (operation === "else")
    return ts.isConditionalExpression(it) ? replace(it, it.whenFalse) : undefined;
  if (operation === "left") return ts.isBinaryExpression(it) ? replace(it, it.left) : undefined;
  if (operation === "right") {
    const smallest = nodesAt(tree, it.getStart()).findLast(ts.isBinaryExpression);
    return smallest && replace(smallest, smallest.right);
  }
  return { start: it.getStart(), end: it.end, replacement: expressionOf(operation, it) };
}

function replace(whole: ts.Node, part: ts.Node): Edit {
  return { start: whole.getStart(), end: whole.end, replacement: part.getText() };
}

/** The expression that a statement or a property is about: a condition, or what is returned, assigned, or kept under a name. */
function valueOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isVariableStatement(node)) return valueOf(node.declarationList.declarations[0] ?? node);
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node))
    return node.initializer && valueOf(node.initializer);
  if (ts.isIfStatement(node) || ts.isReturnStatement(node) || ts.isExpressionStatement(node))
    return node.expression && valueOf(node.expression);
  if (ts.isParenthesizedExpression(node)) return valueOf(node.expression);
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? undefined : valueOf(node.body);
  const isAssigned =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (isAssigned) return valueOf(node.right);
  return ts.isExpression(node) ? node : undefined;
}

/** The words by which an operation names what is there: the expression, its first argument, and the first parameter of the function around it. */
function expressionOf(operation: string, it: ts.Expression): string {
  const meant: Readonly<Record<string, () => ts.Node | undefined>> = {
    it: () => it,
    argument: () => (ts.isCallExpression(it) ? it.arguments[0] : undefined),
    parameter: () => ts.findAncestor(it, ts.isFunctionLike)?.parameters[0]?.name,
  };
  return operation.replaceAll(/\b(?:it|argument|parameter)\b/g, (word) => {
    const node = meant[word]?.();
    if (node === undefined) throw new Error(`${it.getText()} has no ${word}`);
    return node.getText();
  });
}

/** Nodes that begin at a position, the largest first. */
function nodesAt(tree: ts.SourceFile, position: number): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (position < node.pos || position >= node.end) return;
    if (node !== tree && node.getStart() === position) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The call whose dot is at a position, as in a chain of them. */
function linkAt(tree: ts.SourceFile, position: number): ts.Node | undefined {
  if (tree.text[position] !== ".") return undefined;
  let link: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (position < node.pos || position >= node.end) return;
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.pos === position + 1
    )
      link = node;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return link;
}

function removalOf(node: ts.Node): Edit | undefined {
  const { parent, end } = node;
  const start = node.getStart();
  if (ts.isIfStatement(node) && node.elseStatement !== undefined)
    return { start, end, replacement: node.elseStatement.getText() };
  if (ts.isStatement(node)) return { start, end, replacement: ";" };
  if (ts.isBinaryExpression(parent) && parent.right === node)
    return { start: parent.left.end, end, replacement: "" };
  if (!isInList(node)) return undefined;
  const [comma = ""] = /^\s*,/.exec(node.getSourceFile().text.slice(end)) ?? [];
  return { start, end: end + comma.length, replacement: "" };
}

function isInList({ parent, ...node }: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    (ts.isCallExpression(parent) && node.pos > parent.expression.end)
  );
}
