import { useCallback, useEffect, useMemo, useState } from "react";

import { useSession } from "../../shell/session.ts";
import { changesOf, draftKey, forgetDraft, keepDraft, keptDraft, without } from "./kept-drafts.ts";
import { addUnsaved, leave, removeUnsaved } from "./leaving.ts";

interface Options<Values extends object> {
  /** The name of the form. */
  readonly form: string;
  /** The id of what it changes; missing for something new. */
  readonly record?: string | undefined;
  /** Values shown before any changes. */
  readonly before: Values;
  /** The names of values that are never kept. */
  readonly secretsOf?: (values: Values) => readonly string[];
}

/** Values entered in a form. Changes are kept in this tab until they are saved or discarded. */
export interface Draft<Values extends object> {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  /** Changed values. */
  readonly changes: Partial<Values>;
  readonly isChanged: boolean;
  /** Whether these are changes of earlier. */
  readonly isRestored: boolean;
  /** Whether secrets of earlier are missing. */
  readonly isPartial: boolean;
  /** Forgets the changes because they are saved or discarded. */
  readonly clear: () => void;
  /** Proceeds where nothing is changed, and asks otherwise. */
  readonly leave: (proceed: () => void) => void;
}

export function useDraft<Values extends object>({
  form,
  record,
  before,
  secretsOf,
}: Options<Values>): Draft<Values> {
  const key = draftKey(useSession(), form, record);
  const [kept, setKept] = useState(() => keptDraft(key, before));
  const [entered, setEntered] = useState<Partial<Values>>(kept?.changes ?? {});
  const values = { ...before, ...entered };
  const changes = changesOf(before, entered);
  const isChanged = Object.keys(changes).length > 0;
  const secrets = secretsOf?.(values) ?? [];
  const storable = without(changes, secrets);
  const isPartial = Object.keys(storable).length < Object.keys(changes).length;
  const stored = JSON.stringify({ changes: storable, isPartial });
  const unsaved = useMemo(
    () => ({
      discard: () => {
        removeUnsaved(unsaved);
        forgetDraft(key);
        setKept(undefined);
        setEntered({});
      },
    }),
    [key],
  );
  const set = useCallback(
    (next: Partial<Values>) => setEntered((known) => ({ ...known, ...next })),
    [],
  );
  useEffect(() => {
    if (!isChanged) {
      forgetDraft(key);
      return undefined;
    }
    addUnsaved(unsaved);
    return () => removeUnsaved(unsaved);
  }, [isChanged, key, unsaved]);
  useEffect(() => {
    if (isChanged) keepDraft(key, JSON.parse(stored));
  }, [isChanged, key, stored]);
  return {
    values,
    set,
    changes,
    isChanged,
    isRestored: kept !== undefined && isChanged,
    isPartial: kept?.isPartial === true,
    clear: unsaved.discard,
    leave: (proceed) => leave(proceed, [unsaved]),
  };
}
