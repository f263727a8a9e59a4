import { targetWithoutQuery } from "../../../src/domain/target.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { CheckTest } from "../check-edit/test-result.tsx";

/** The name of a new check: the title of its page, or else its target without scheme and query. */
export function proposedName({ title = "", label }: Pick<CheckTest, "title" | "label">): string {
  const named = visibleText(title).trim();
  if (named !== "") return named;
  return targetWithoutQuery({ target: label })
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, "")
    .replace(/\/$/, "");
}
