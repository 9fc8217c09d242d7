/** People write for everybody, and may name what whoever asks must not see: such lines are left out before anybody is told. */
import type { Catalog } from '../../catalog/index.ts';

export interface Sight {
  readonly catalog: Pick<Catalog, 'tables'>;
  /** Ids. */
  readonly hiddenTables: ReadonlySet<string>;
}

/** The lines that name no hidden table, as it is stored or with spaces in it. A name that a table in view bears too, hides nothing. */
export function withoutHidden(lines: readonly string[], sight: Sight): readonly string[] {
  const hidden = hiddenNames(sight);
  return hidden === undefined ? lines : lines.filter((line) => !hidden.test(line));
}

const KEPT = new WeakMap<ReadonlySet<string>, RegExp | null>();

/** Undefined: nothing is hidden. */
function hiddenNames({ catalog, hiddenTables }: Sight): RegExp | undefined {
  const known = KEPT.get(hiddenTables);
  if (known !== undefined) return known ?? undefined;
  const seen = new Set(catalog.tables.map(({ name }) => name.toLowerCase()));
  const names = [...hiddenTables].flatMap((id) => {
    const name = id.slice(id.lastIndexOf('.') + 1).toLowerCase();
    return name === '' || seen.has(name) ? [] : [patternOf(name)];
  });
  const made =
    names.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
  KEPT.set(hiddenTables, made);
  return made ?? undefined;
}

function patternOf(name: string): string {
  return name
    .split(/[\s_]+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('[\\s_]+');
}
