/** From names as a reasoner wrote them to items of the catalog (evilink.md §5); case and quotes do not matter. */
import type { SharedColumn, SharedTable } from '../../../catalog/share/index.ts';
import type { SharedTables } from '../../../knowledge/retrieve/index.ts';
import type { NamedField } from '../../../reasoning/roles/link-reasoner.ts';
import type { LinkItems } from './link-items.ts';

/** Longer than any path of an engine: such a text is no name. */
const LONGEST_NAME = 2_000;
/** Every way to split a path is tried; a model that repeats itself writes paths without end. */
const MOST_PARTS = 32;

export interface NameResolver {
  /** `near` decides between tables of one name: those that the reasoner was shown. */
  table(written: string, near: ReadonlySet<string>): SharedTable | undefined;
  /** A column of the named table, else the only one of that name in the tables of `near`. */
  field(written: Omit<NamedField, 'why'>, near: ReadonlySet<string>): SharedColumn | undefined;
  /** Either of them, as one text: `orders`, `orders.id`. What is said of another table is never meant: decisions hang on it. */
  item(written: string, near: ReadonlySet<string>): SharedTable | SharedColumn | undefined;
}

export function resolveNames(tables: SharedTables, items: LinkItems): NameResolver {
  const table = (written: string, near: ReadonlySet<string>) =>
    tables.table(exact(written)) ?? findTable(plain(written), near, tables);
  const field = (written: Omit<NamedField, 'why'>, near: ReadonlySet<string>) => {
    const whole = tables.table(exact(written.table));
    const own = whole && items.columnNamed(whole, exact(written.column));
    if (own !== undefined) return own;
    const [owner, name] = [plain(written.table), plain(written.column)];
    const named = owner === '' ? undefined : findTable(owner, near, tables);
    return (
      (named && columnOf(named, name, items)) ??
      columnByPath(owner === '' ? name : `${owner}.${name}`, near, { tables, items }) ??
      columnByPath(name, near, { tables, items }) ??
      onlyColumn(name, near, items)
    );
  };
  return {
    table,
    field,
    item: (written, near) => {
      const [whole, name] = [exact(written), plain(written)];
      const found = items.table(whole) ?? items.column(whole) ?? items.table(name) ?? items.column(name);
      return found ?? findItem(name, near, { tables, items });
    },
  };
}

/** As readers were shown it: quotes may be a part of a name. */
function exact(written: string): string {
  return written.length > LONGEST_NAME ? '' : written.toLowerCase();
}

/** Without quotes around its parts, in lower case: `"Sales"."Orders"` → `sales.orders`. */
function plain(written: string): string {
  if (written.length > LONGEST_NAME) return '';
  const bare = written.trim().replace(/(^|\.)\[([^\]]*)\](?=\.|$)/g, '$1$2');
  const name = bare.replace(/["`]/g, '').trim().toLowerCase();
  return name.split('.', MOST_PARTS + 1).length > MOST_PARTS ? '' : name;
}

function findTable(name: string, near: ReadonlySet<string>, tables: SharedTables): SharedTable | undefined {
  const exact = tables.table(name);
  if (exact !== undefined) return exact;
  const parts = name.split('.');
  for (let from = 0; from < parts.length; from += 1) {
    const named = tables.named(parts.slice(from).join('.'));
    // With more names before it than it needs, yet never of another schema than the one written.
    const fitting = from === 0 ? named : named.filter(({ id }) => id.split('.').length < parts.length);
    const found = onlyTable(fitting, near, tables);
    if (found !== undefined || fitting.length > 0) return found;
  }
  return familyNamed(name, near, tables);
}

/** Of several: the one that was shown; where all are copies of one table, the first. */
function onlyTable(
  found: readonly SharedTable[],
  near: ReadonlySet<string>,
  tables: SharedTables,
): SharedTable | undefined {
  const shown = found.filter(({ id }) => near.has(id));
  const [first, second] = shown.length > 0 ? shown : found;
  if (second === undefined) return first;
  const families = new Set(found.map(({ id }) => tables.familyOf(id)));
  return families.size === 1 ? first : undefined;
}

function findItem(
  name: string,
  near: ReadonlySet<string>,
  { tables, items }: { readonly tables: SharedTables; readonly items: LinkItems },
): SharedTable | SharedColumn | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return findTable(name, near, tables) ?? onlyColumn(name, near, items);
  const owner = findTable(name.slice(0, dot), near, tables);
  return owner === undefined ? findTable(name, near, tables) : items.columnNamed(owner, name.slice(dot + 1));
}

/** The table that was shown for a family, named by its pattern: `ga_sessions_#`, `ga_sessions_*`. */
function familyNamed(name: string, near: ReadonlySet<string>, tables: SharedTables): SharedTable | undefined {
  if (!/[#*]/.test(name)) return undefined;
  const last = name.slice(name.lastIndexOf('.') + 1).replaceAll('*', '#');
  const found = [...near].filter(
    (id) => tables.familyOf(id)?.pattern.replaceAll('*', '#') === last && last !== '#',
  );
  const [only, second] = found;
  return only === undefined || second !== undefined ? undefined : tables.table(only);
}

/** `city`, `customers.city` said of `customers`, and the top-level column of a nested path: `address.city`. */
function columnOf(table: SharedTable, name: string, items: LinkItems): SharedColumn | undefined {
  const own = [`${table.id}.`, `${table.name.toLowerCase()}.`].find((prefix) => name.startsWith(prefix));
  const rest = own === undefined ? name : name.slice(own.length);
  const [top = ''] = rest.split(/[.:[]/, 1);
  return (
    items.columnNamed(table, rest) ??
    items.columnNamed(table, name) ??
    items.columnNamed(table, top) ??
    items.columnNamed(table, rest.slice(rest.lastIndexOf('.') + 1))
  );
}

/** `sales.orders.id`, split at whichever dot makes what stands before it a table with that column. */
function columnByPath(
  path: string,
  near: ReadonlySet<string>,
  { tables, items }: { readonly tables: SharedTables; readonly items: LinkItems },
): SharedColumn | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const table = findTable(path.slice(0, dot), near, tables);
    const found = table && columnOf(table, path.slice(dot + 1), items);
    if (found !== undefined) return found;
  }
  return undefined;
}

function onlyColumn(name: string, near: ReadonlySet<string>, items: LinkItems): SharedColumn | undefined {
  const bare = name.slice(name.lastIndexOf('.') + 1);
  if (bare === '') return undefined;
  const found = [...near].flatMap((id) => {
    const table = items.table(id);
    return (table && items.columnNamed(table, bare)) ?? [];
  });
  return found.length === 1 ? found[0] : undefined;
}
