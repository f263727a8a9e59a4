/** A form with changes that are not saved. */
export interface Unsaved {
  readonly discard: () => void;
}

/** The question whether to discard changes; what follows where they are. */
export interface Question {
  readonly about: readonly Unsaved[];
  readonly proceed: () => void;
}

const unsaved = new Set<Unsaved>();
const listeners = new Set<() => void>();
let question: Question | undefined;
/** The address of the page that is shown: that of a blocked step back has replaced it already. */
let here = "";

/** Asks before the reader leaves this form. */
export function addUnsaved(form: Unsaved): void {
  if (unsaved.size === 0) addEventListener("beforeunload", hold);
  unsaved.add(form);
}

export function removeUnsaved(form: Unsaved): void {
  unsaved.delete(form);
  if (unsaved.size === 0) removeEventListener("beforeunload", hold);
  // It was saved, or is gone, while the question was open.
  if (question?.about.every((each) => !unsaved.has(each)) === true) ask(undefined);
}

/** Proceeds at once where none of these forms has changes, or else once the reader discards them. */
export function leave(proceed: () => void, forms: readonly Unsaved[] = [...unsaved]): void {
  const about = forms.filter((form) => unsaved.has(form));
  if (about.length === 0) proceed();
  else ask({ about, proceed });
}

/** Discards the changes of these forms without a question. */
export function discard(forms: readonly Unsaved[] = [...unsaved]): void {
  for (const form of forms) form.discard();
}

export function keepEditing(): void {
  ask(undefined);
}

export function currentQuestion(): Question | undefined {
  return question;
}

export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Guards the steps back and forward of the browser. It listens before the router does. */
export function guardHistory(): void {
  const look = (): void => {
    here = location.href;
  };
  look();
  addEventListener("pushState", look);
  addEventListener("replaceState", look);
  addEventListener(
    "popstate",
    (event) => {
      const [from, to] = [new URL(here), new URL(location.href)];
      const isSamePage = from.pathname === to.pathname && from.search === to.search;
      if (isSamePage || unsaved.size === 0) {
        look();
        return;
      }
      event.stopImmediatePropagation();
      history.pushState(null, "", here);
      leave(() => history.back());
    },
    { capture: true },
  );
}

function ask(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** The browser asks in its own words. */
function hold(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
