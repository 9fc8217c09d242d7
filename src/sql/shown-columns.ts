/** Which columns a select list, a star or an alias list shows. */
import { ANY_COLUMNS, type Columns, NO_COLUMNS, type Scope, type VisibleColumn } from './name-scope.ts';
import { field, type Identifier, identifierOf, listOf, nameParts, variantOf } from './syntax-tree.ts';

/** `t.*` in a select list is `[{ObjectName: […]}, options]`, inside a function it is the name alone. */
export function wildcardSource(content: unknown): Identifier | undefined {
  const list = listOf(content);
  const parts = nameParts(field(list[0], 'ObjectName')) ?? nameParts(list);
  return parts?.at(-1);
}

/** The columns a select list shows to the query around it. */
export function projectedColumns(projection: readonly unknown[], scope: Scope): Columns {
  const named = new Map<string, VisibleColumn>();
  let isOpen = false;
  let hasUnnamed = false;
  const addAll = (columns: Columns): void => {
    for (const [key, column] of columns.named) named.set(key, column);
    isOpen ||= columns.isOpen;
    hasUnnamed ||= columns.hasUnnamed;
  };
  for (const item of projection) {
    const variant = variantOf(item);
    if (variant?.name === 'Wildcard') addAll(allColumns(scope));
    else if (variant?.name === 'QualifiedWildcard') {
      const alias = wildcardSource(variant.content)?.name.toLowerCase();
      addAll(scope.sources.find((source) => source.alias === alias)?.columns ?? ANY_COLUMNS);
    } else {
      const name = outputName(variant?.content);
      if (name === undefined) hasUnnamed = true;
      else named.set(name.toLowerCase(), { name });
    }
  }
  return { named, isOpen, hasUnnamed };
}

function outputName(content: unknown): string | undefined {
  const alias = identifierOf(field(content, 'alias'));
  const plain = identifierOf(field(content, 'Identifier'));
  const dotted = identifierOf(listOf(field(content, 'CompoundIdentifier')).at(-1));
  return (alias ?? plain ?? dotted)?.name;
}

/** All columns of all sources, as `*` shows them. */
export function allColumns(scope: Scope): Columns {
  const all = scope.sources.map((source) => source.columns);
  return {
    named: new Map(all.flatMap((columns) => [...columns.named])),
    isOpen: all.some((columns) => columns.isOpen),
    hasUnnamed: all.some((columns) => columns.hasUnnamed),
  };
}

/** `AS d(a, b)` replaces the names of the first columns; the list is taken as complete. */
export function renamed(columns: Columns, alias: unknown): Columns {
  const list = listOf(field(alias, 'columns'))
    .map((column) => identifierOf(field(column, 'name') ?? column)?.name)
    .filter((name) => name !== undefined);
  if (list.length === 0) return columns;
  return { ...NO_COLUMNS, named: new Map(list.map((name) => [name.toLowerCase(), { name }])) };
}

/** The name of a table alias, lower case. */
export function aliasOf(alias: unknown): string | undefined {
  return identifierOf(field(alias, 'name'))?.name.toLowerCase();
}
