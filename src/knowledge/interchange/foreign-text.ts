/** A value of a foreign file as text; nothing for lists and objects, which may even bring a `toString` of their own. */
export function foreignText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
