const KEPT = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Whether a name that people wrote may mean a table that the reader does not see; without its schema, too. */
export function isHiddenName(written: string, hiddenTables: ReadonlySet<string>): boolean {
  const names = KEPT.get(hiddenTables) ?? new Set([...hiddenTables].flatMap(endings));
  KEPT.set(hiddenTables, names);
  return names.has(written.toLowerCase());
}

/** `a.b.c` is `b.c` and `c`, too. */
function endings(id: string): string[] {
  const parts = id.split('.');
  return parts.map((_, at) => parts.slice(at).join('.'));
}
