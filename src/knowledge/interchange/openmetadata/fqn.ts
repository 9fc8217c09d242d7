/** Fully qualified names of OpenMetadata: `service.database.schema.table.column`, parts with dots in quotes. */

/** The vendor of what only this format knows. */
export const OPENMETADATA_VENDOR = 'OPENMETADATA';

/** The parts of a name; `undefined` where it is none. */
export function readFqn(text: string): readonly string[] | undefined {
  if (text.length > 3_000) return undefined;
  const parts: string[] = [];
  const part = /(?:"((?:[^"]|"")+)"|([^".]+))(\.|$)/y;
  while (part.lastIndex < text.length || parts.length === 0) {
    const found = part.exec(text);
    if (found === null) return undefined;
    const name = (found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim();
    if (name === '') return undefined;
    parts.push(name);
    if (found[3] === '') return parts;
  }
  return undefined;
}

export function writeFqn(parts: readonly string[]): string {
  return parts.map((part) => (/[."]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');
}
