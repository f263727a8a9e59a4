import {
  OperatorNode,
  PrimitiveValueListNode,
  ValueListNode,
  type BinaryOperationNode,
} from "kysely";

/** Text for a comparison with an empty list, which `in ()` would be: PostgreSQL refuses that. Undefined for any other operation. */
export function emptyListComparison({
  operator,
  rightOperand,
}: BinaryOperationNode): string | undefined {
  const isList = PrimitiveValueListNode.is(rightOperand) || ValueListNode.is(rightOperand);
  if (!isList || rightOperand.values.length > 0 || !OperatorNode.is(operator)) return undefined;
  if (operator.operator === "in") return "1 = 0";
  return operator.operator === "not in" ? "1 = 1" : undefined;
}
