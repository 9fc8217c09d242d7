/** Each workspace has its own. */
const KEY = `candor.testRun ${window.location.pathname}`;

/** The id of the last run of tests of this tab, over a reload; a browser that keeps nothing has none. */
export function readKeptRun(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: it is not known any more. */
export function keepRun(id: string | undefined): void {
  try {
    if (id === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, id);
  } catch {
    // Then a reload shows no run.
  }
}
