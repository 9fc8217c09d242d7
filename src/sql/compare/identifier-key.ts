/** Names are equal without quotes and in lower case; those that need quotes get one kind. */
const PLAIN = /^[a-z_][a-z0-9_]*$/;

export function identifierKey(name: string): string {
  const lower = name.toLowerCase();
  return PLAIN.test(lower) ? lower : `"${lower.replaceAll('"', '""')}"`;
}
