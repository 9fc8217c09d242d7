/** Gold queries of defog: several in one text, and braces around columns of which any may be given. */

const BRACES = /\{([^{}]+)\}/;

/**
 * Every query that is right, with the columns of the braces chosen in every way that leaves at least one; `GROUP BY {}`
 * stands for the chosen ones. `SELECT {name, id} FROM t` → by `name`, by `id`, by both.
 */
export function expandGold(text: string): string[] {
  return text
    .split(';')
    .map((query) => query.trim())
    .filter((query) => query !== '')
    .flatMap(expandQuery);
}

function expandQuery(query: string): string[] {
  const found = BRACES.exec(query);
  if (found === null) return [query];
  const columns = found[1]!.split(',').map((column) => column.trim());
  return subsets(columns).map((chosen) => {
    const list = chosen.join(', ');
    const before = query.slice(0, found.index);
    const after = query.slice(found.index + found[0].length);
    return before + list + after.replace('GROUP BY {}', `GROUP BY ${chosen.map(withoutAlias).join(', ')}`);
  });
}

/** All of them first, then the smaller ones, in their order. */
function subsets(columns: readonly string[]): string[][] {
  const all = Array.from({ length: 2 ** columns.length - 1 }, (_, i) =>
    columns.filter((_column, at) => ((i + 1) >> at) & 1),
  );
  return all.sort((one, other) => other.length - one.length);
}

function withoutAlias(column: string): string {
  return column.replace(/\s+AS\s+\w+$/i, '');
}
