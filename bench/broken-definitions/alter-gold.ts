/** A right query with one definition broken, by its tree: what a careless writer leaves out or takes for another. */
import { columnsInSql, type SemanticModel } from '../../src/knowledge/semantic/index.ts';
import { type DialectName, parse, scopes } from '../../src/sql/index.ts';
import { type Patch, patchText } from '../../src/sql/rewrite/index.ts';
import type { NamedSchema } from '../../src/sql/scope/index.ts';
import { ancestor, type SqlNode, textOf } from '../../src/sql/tree/index.ts';

export type BrokenKind = 'filter' | 'mapping' | 'role' | 'time' | 'formula';

export interface AlteredGold {
  readonly kind: BrokenKind;
  readonly altered: string;
  readonly what: string;
}

export interface AlterContext {
  readonly catalog: NamedSchema & { readonly dialect: DialectName };
  readonly semantics: SemanticModel;
}

/** Every mandatory filter, role, stored value and time of a query, one at a time. */
export function alterGold(sql: string, { catalog, semantics }: AlterContext): readonly AlteredGold[] {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) throw new RangeError(`a gold query does not parse: ${sql}`);
  const { tree } = parsed;
  const names = scopes(tree, catalog);
  const columns = tree.nodes.flatMap((node) => {
    const reference = names.references[node.id];
    const [column] = reference?.kind === 'column' ? reference.lineage.physical : [];
    return node.type === 'Column' && column !== undefined ? [{ node, id: column.id }] : [];
  });
  const found = { text: sql, columns, print: (node: SqlNode) => textOf(tree, node) };
  return [
    ...withoutFilters(found, semantics),
    ...otherRoles(found, semantics),
    ...otherValues(found, semantics),
    ...otherTimes(found, semantics),
  ];
}

interface Found {
  readonly text: string;
  readonly columns: readonly { readonly node: SqlNode; readonly id: string }[];
  readonly print: (node: SqlNode) => string;
}

function withoutFilters(found: Found, { datasets, metrics }: SemanticModel): readonly AlteredGold[] {
  const filters = new Set([
    ...datasets.flatMap(({ defaultFilter }) => (defaultFilter === undefined ? [] : [defaultFilter.sql])),
    ...metrics.flatMap((metric) => [
      ...metric.filters,
      ...metric.conditionalFilters.flatMap((one) => [one.then, one.otherwise]),
    ]),
  ]);
  return [...filters].flatMap((filter) => {
    const [column, ...others] = columnsInSql(filter);
    if (column === undefined || others.length > 0) return [];
    const places = found.columns.flatMap(({ node, id }) => {
      const condition = id === column ? conditionAround(node) : undefined;
      if (condition === undefined) return [];
      const said = found.print(condition).replace(found.print(node), column);
      return plain(said) === plain(filter) ? [condition] : [];
    });
    if (places.length === 0) return [];
    const altered = patchText(
      found.text,
      places.map((place) => ({ span: place, text: '1 = 1' })),
    );
    return [{ kind: 'filter' as const, altered, what: `without ${filter}` }];
  });
}

function conditionAround(node: SqlNode): SqlNode | undefined {
  let at = node;
  while (at.parent !== undefined && !HOLDERS.has(at.parent.type)) at = at.parent;
  return at.parent !== undefined && at.role !== 'expressions' ? at : undefined;
}

const HOLDERS: ReadonlySet<string> = new Set(['And', 'Where', 'Join', 'Select', 'If', 'Paren', 'Filter']);

function plain(sql: string): string {
  return sql.toLowerCase().replace(/\s+/g, '');
}

function otherRoles(found: Found, { relationships }: SemanticModel): readonly AlteredGold[] {
  return relationships.flatMap((link) => {
    const [column = ''] = link.fromColumns;
    return relationships.flatMap((rival) => {
      const isRival = rival !== link && rival.from === link.from && rival.to === link.to;
      const [other = ''] = rival.fromColumns;
      if (!isRival || TIMES.test(column) || found.columns.some(({ id }) => id === other)) return [];
      const altered = renamed(found, column, other);
      return altered === undefined
        ? []
        : [{ kind: 'role' as const, altered, what: `${other} instead of ${column}` }];
    });
  });
}

/** Days are links to a calendar, too: they are of another kind. */
const TIMES = /_(?:on|at|dt|date|since|month|start)$/;

function otherTimes(
  found: Found,
  { metrics, relationships, fields = [] }: SemanticModel,
): readonly AlteredGold[] {
  const times = new Set([
    ...metrics.flatMap(({ timeColumn }) => (timeColumn === undefined ? [] : [timeColumn])),
    ...relationships.flatMap(({ fromColumns: [column = ''] }) => (TIMES.test(column) ? [column] : [])),
    ...fields.map(({ column }) => column).filter((column) => TIMES.test(column)),
  ]);
  const used = [...times].filter((time) => found.columns.some(({ id }) => id === time));
  return used.flatMap((time) => {
    const table = time.slice(0, time.indexOf('.') + 1);
    const other = [...times].find((one) => one !== time && one.startsWith(table) && !used.includes(one));
    const isShown = found.columns.some(
      ({ node, id }) => id === time && ancestor(node, ({ type }) => type === 'Where' || type === 'Group'),
    );
    const altered = other === undefined || !isShown ? undefined : renamed(found, time, other);
    return altered === undefined
      ? []
      : [{ kind: 'time' as const, altered, what: `${other} instead of ${time}` }];
  });
}

function renamed({ text, columns, print }: Found, column: string, other: string): string | undefined {
  const name = other.slice(other.lastIndexOf('.') + 1);
  const patches = columns.flatMap(({ node, id }): Patch[] => {
    if (id !== column) return [];
    const last = node.children.at(-1) ?? node;
    return print(last) === '' ? [] : [{ span: last, text: name }];
  });
  return patches.length === 0 ? undefined : patchText(text, patches);
}

/** A literal that a word of people stands for becomes another of its column. */
function otherValues(found: Found, { valueMappings }: SemanticModel): readonly AlteredGold[] {
  return found.columns.flatMap(({ node, id }) => {
    const own = valueMappings.filter(({ column }) => column === id);
    const { parent } = node;
    if (own.length < 2 || parent === undefined || parent.type !== 'EQ') return [];
    const literal = parent.children.find(({ type }) => type === 'Literal');
    const isMapped = own.some(({ value }) => `${value}` === literal?.value);
    const other = own.find(
      ({ value }) => `${value}` !== literal?.value && !found.text.includes(`'${value}'`),
    );
    if (literal === undefined || !isMapped || other === undefined) return [];
    const text = literal.flags.string === undefined ? `${other.value}` : `'${other.value}'`;
    const altered = patchText(found.text, [{ span: literal, text }]);
    return [{ kind: 'mapping' as const, altered, what: `${text} instead of ${found.print(literal)}` }];
  });
}
