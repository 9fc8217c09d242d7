/** What may be done about a table that does not exist. */

import { nameLikeness } from '../../language/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import type { Source } from '../../sql/scope/index.ts';
import { ancestor, child, type SqlNode } from '../../sql/tree/index.ts';
import { writtenTable } from './add-join.ts';
import { type Ailing, quoted, type Remedy } from './remedy.ts';
import { renamedTable } from './repair-by-rules.ts';

/** The tables that may be meant by one that does not exist, best first. */
const MOST_TABLES = 3;
const LEAST_LIKE = 0.4;

export function tableRemedies(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query, schema } = ailing;
  const spelled = renamedTable(node, fault, query);
  const remedies: Remedy[] =
    spelled.length === 0 ? [] : [{ kind: 'spelling', patches: spelled, because: fault.text }];
  remedies.push(...recursive(ailing), ...inTwoWords(ailing));
  const table = node.parent;
  if (table === undefined) return remedies;
  const wanted = columnsOf(table, ailing);
  const ranked = schema.catalog.tables
    .map((one) => {
      const columns = new Set(one.columns.map(({ name }) => name.toLowerCase()));
      const held = [...wanted].filter((name) => columns.has(name)).length;
      const share = wanted.size === 0 ? 0 : held / wanted.size;
      const like = nameLikeness(node.value ?? '', one.name);
      return { one, held, rank: share + like, isLike: like >= LEAST_LIKE };
    })
    .filter(({ held, isLike }) => held > 0 || isLike)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_TABLES);
  const same = schema.catalog.tables.filter(({ name }) => nameLikeness(node.value ?? '', name) === 1);
  for (const { one, held } of ranked) {
    const why = held > 0 ? `; ${one.name} has the columns that are used` : `; ${one.name} has a name like it`;
    const isOnly = same.length === 1 && same[0] === one;
    remedies.push({
      kind: 'table',
      patches: retable(node, one.id, ailing),
      because: `${fault.text}${why}`,
      guess: isOnly ? undefined : `${node.value} stands for the table ${one.name}`,
    });
  }
  return remedies;
}

/** Replaces the name of a table, and that name where it qualifies a column. */
export function retable(name: SqlNode, id: string, ailing: Ailing): readonly Patch[] {
  const { query, schema } = ailing;
  const table = name.parent;
  const isAliased = table !== undefined && child(table, 'alias') !== undefined;
  const plain = quoted(schema.tables.get(id)?.name ?? id, query);
  const path = table?.children.filter(({ role }) => role === 'db' || role === 'catalog') ?? [];
  const start = Math.min(name.start, ...path.map((part) => part.start));
  const place = { scope: undefined, query, schema };
  const patches: Patch[] = [{ span: { start, end: name.end }, text: writtenTable(id, place) }];
  if (isAliased) return patches;
  for (const node of query.tree.nodes) {
    if (node.role !== 'table' || node.parent?.type !== 'Column') continue;
    if (node.value?.toLowerCase() !== name.value?.toLowerCase()) continue;
    patches.push({ span: { start: node.start, end: node.end }, text: plain });
  }
  return patches;
}

/** A query of WITH that reads itself: the engine looks for a table unless RECURSIVE is said. */
function recursive({ node, fault, query }: Ailing): readonly Remedy[] {
  const own = ancestor(
    node,
    (above) => above.type === 'CTE' && nameOfQuery(above) === node.value?.toLowerCase(),
  );
  const start = own?.parent?.start;
  if (start === undefined || own?.parent?.type !== 'With') return [];
  const end = start + 'WITH'.length;
  if (query.tree.text.slice(start, end).toUpperCase() !== 'WITH') return [];
  const because = `${fault.text}; the query of this name reads itself`;
  return [{ kind: 'clause', patches: [{ span: { start: end, end }, text: ' RECURSIVE' }], because }];
}

function nameOfQuery(query: SqlNode): string | undefined {
  const alias = child(query, 'alias');
  return (alias && child(alias, 'this'))?.value?.toLowerCase();
}

/** `FROM TV channel` where the table is `TV_Channel`: what looks like an alias is half of the name. */
function inTwoWords({ node, fault, query, schema }: Ailing): readonly Remedy[] {
  const table = node.parent;
  const alias = table && child(table, 'alias');
  if (table === undefined || alias === undefined) return [];
  const written = query.tree.text.slice(node.start, alias.end);
  const found = schema.catalog.tables.find(({ name }) => nameLikeness(written, name) === 1);
  if (found === undefined) return [];
  const text = writtenTable(found.id, { scope: undefined, query, schema });
  return [
    {
      kind: 'quoting',
      patches: [{ span: { start: node.start, end: alias.end }, text }],
      because: fault.text,
    },
  ];
}

/** Names of columns, in lower case, that only this table can have. */
function columnsOf(table: SqlNode, { query: { tree, scopes } }: Ailing): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of tree.nodes) {
    const reference = scopes.references[node.id];
    if (reference?.kind !== 'open') continue;
    const mayBe = reference.source === undefined ? reference.candidates : [reference.source];
    const last = node.children.at(-1)?.value ?? reference.name;
    if (mayBe.some((source: Source) => source.node === table)) names.add(last.toLowerCase());
  }
  return names;
}
