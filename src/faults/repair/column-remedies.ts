/** What may be done about a column that its table does not have, or that several tables have. */
import { columnLikeness, nameLikeness } from '../../language/index.ts';
import { quoteText } from '../../sql/dialects/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import { isAggregateCall, type Source } from '../../sql/scope/index.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../../sql/tree/index.ts';
import {
  addJoin,
  declaredPaths,
  findJoinPath,
  type JoinPlace,
  type JoinStep,
  joinCondition,
  keysBetween,
  keysOf,
  onlyDeclaredPath,
  writtenTable,
} from './add-join.ts';
import { type Ailing, columnOf, quoted, type Remedy, scopeAt, tablesIn } from './remedy.ts';
import { rightColumn } from './repair-by-rules.ts';
import { retable } from './table-remedies.ts';

const MOST_CHOICES = 3;
const LEAST_LIKE = 0.45;
/** A table that has only a name like the one written must be surer to be worth a join. */
const LEAST_LIKE_JOINED = 0.7;

/** In the order in which they are tried; a guess only once nothing sure is left to do. */
export function columnRemedies(ailing: Ailing): readonly Remedy[] {
  const sure = [
    ...quotedWhole(ailing),
    ...quotedParts(ailing),
    ...respelled(ailing),
    ...ofOwnList(ailing),
    ...joinedByKeys(ailing),
    ...ofAnotherSource(ailing, scopeAt(ailing.node, ailing.query)?.sources ?? []),
  ];
  // Whoever writes the table before a column means that table: it is not put aside for another one.
  if (isOfferedElsewhere(ailing))
    return [
      ...sure,
      ...joinedTo(ailing, holders(ailing)),
      ...ofAnotherSource(ailing, sourcesAt(ailing)),
      ...ofLikeName(ailing),
    ];
  return [
    ...sure,
    ...quotedText(ailing),
    ...ofAnotherTable(ailing),
    ...joinedTo(ailing, holders(ailing)),
    ...ofAnotherSource(ailing, sourcesAt(ailing)),
    ...ofLikeName(ailing),
    ...ofLikeNameElsewhere(ailing),
  ];
}

/** The one name here that differs by a letter or two. */
function respelled(ailing: Ailing): readonly Remedy[] {
  const { fault, node, query } = ailing;
  const name = rightColumn(node, query);
  if (name === undefined) return [];
  const patches = [rename(node, quoted(name, query))];
  // The very name may have been meant of another table here.
  const isElsewhere = sourcesAt(ailing).some((source) => columnOf(source, node.value ?? '') !== undefined);
  const guess = isElsewhere ? `${node.value} stands for ${name}` : undefined;
  return [{ kind: 'spelling', patches, because: fault.text, guess }];
}

/** A column with its table before it, which that table lacks and others have. */
function isOfferedElsewhere(ailing: Ailing): boolean {
  return namedSource(ailing)?.table !== undefined && holders(ailing).length > 0;
}

/** Every column of exactly this name. */
function holders({ node, schema }: Ailing): readonly { readonly tableId: string; readonly name: string }[] {
  return schema.columnsNamed.get((node.value ?? '').toLowerCase()) ?? [];
}

/** A name of the SELECT list in a clause that is read before it: what it stands for. */
function ofOwnList(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const column = columnNode(ailing);
  const select = scopeAt(node, query)?.query;
  if (column === undefined || select?.type !== 'Select' || child(column, 'table') !== undefined) return [];
  const item = childrenIn(select, 'expressions').find(
    (one) => child(one, 'alias')?.value?.toLowerCase() === node.value?.toLowerCase(),
  );
  const meant = item && child(item, 'this');
  if (meant === undefined || meant === column) return [];
  const isInHaving =
    ancestor(column, ({ type }) => type === 'Having' || type === 'Select')?.type === 'Having';
  if (holds(meant, isWindow) || (!isInHaving && holds(meant, isAggregateCall))) return [];
  const written = query.tree.text.slice(meant.start, meant.end);
  const text = meant.type === 'Column' || meant.flags.call !== undefined ? written : `(${written})`;
  const because = `${fault.text}; ${node.value} is a name of the list, which is not known here yet`;
  return [{ kind: 'alias', patches: [rename(column, text)], because }];
}

/** Aggregates are computed after WHERE, and windows after HAVING too. */
function holds(node: SqlNode, is: (one: SqlNode) => boolean): boolean {
  return is(node) || node.children.some((part) => holds(part, is));
}

function isWindow({ type }: SqlNode): boolean {
  return type === 'Window';
}

/** `city = "Lyon"`: an engine that takes double quotes for names does not find what is meant as a text. */
function quotedText(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const column = columnNode(ailing) ?? node;
  const isQuoted = node.flags.quoted === '"' && child(column, 'table') === undefined;
  const other = column.parent?.children.find((side) => side !== column && side.type === 'Column');
  if (!isQuoted || !COMPARISONS.has(column.parent?.type ?? '') || other === undefined) return [];
  const text = quoteText(node.value ?? '', query.tree.dialect);
  const because = `${fault.text}; a text stands in single quotes`;
  return [{ kind: 'quoting', patches: [rename(column, text)], because }];
}

const COMPARISONS: ReadonlySet<string> = new Set([
  'EQ',
  'NEQ',
  'In',
  'Like',
  'ILike',
  'GT',
  'GTE',
  'LT',
  'LTE',
]);

function rename({ start, end }: SqlNode, text: string): Patch {
  return { span: { start, end }, text };
}

/** The Column that a wrong name stands in; a name in USING stands in none. */
function columnNode({ node }: Ailing): SqlNode | undefined {
  return node.parent?.type === 'Column' ? node.parent : undefined;
}

function namedSource(ailing: Ailing): Source | undefined {
  const column = columnNode(ailing);
  const reference = column && ailing.query.scopes.references[column.id];
  return reference?.kind === 'unknown' ? reference.source : undefined;
}

/** Every source a name can be of here: its own scope, then those around it. */
function sourcesAt({ node, query }: Ailing): readonly Source[] {
  const found: Source[] = [];
  for (let scope = scopeAt(node, query); scope !== undefined; scope = scope.outer)
    found.push(...scope.sources);
  return found;
}

/** `` `singer.name` ``: quoted as one name. */
function quotedWhole({ node, fault, query }: Ailing): readonly Remedy[] {
  const [table, name, ...more] = (node.value ?? '').split('.');
  if (node.flags.quoted === undefined || !table || !name || more.length > 0) return [];
  const text = `${quoted(table, query)}.${quoted(name, query)}`;
  return [
    { kind: 'quoting', patches: [rename(node, text)], because: `${fault.text}; it is quoted as one name` },
  ];
}

/** `T-BIL` that should stand in quotes is read as a difference. */
function quotedParts(ailing: Ailing): readonly Remedy[] {
  const { fault, query } = ailing;
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  let at = columnNode(ailing)?.parent;
  for (let step = 0; at !== undefined && step < 3; step += 1, at = at.parent) {
    if (!ARITHMETIC.has(at.type)) return [];
    const written = query.tree.text.slice(at.start, at.end);
    const last = written.slice(written.indexOf('.') + 1);
    for (const source of sourcesAt(ailing)) {
      const found = source.columns.list.find(({ name }) => name !== undefined && bare(name) === bare(last));
      if (found?.name === undefined || source.name === undefined) continue;
      const text = `${quoted(source.name, query)}.${quoted(found.name, query)}`;
      return [
        { kind: 'quoting', patches: [rename(at, text)], because: `${fault.text}; the name needs quotes` },
      ];
    }
  }
  return [];
}

const ARITHMETIC: ReadonlySet<string> = new Set(['Sub', 'Add', 'Div', 'Mul', 'Mod']);

/** `ON a.id = b.a_id` by a column that is not there: the key between the two tables is what was meant. */
function joinedByKeys(ailing: Ailing): readonly Remedy[] {
  const { fault, query, schema } = ailing;
  const column = columnNode(ailing);
  const equality = column?.parent;
  const join = equality && ancestor(equality, ({ type }) => type === 'Join');
  if (equality?.type !== 'EQ' || join === undefined) return [];
  if (ancestor(equality, ({ type }) => type === 'Join' || type === 'Select')?.type !== 'Join') return [];
  const scope = scopeAt(equality, query);
  const sources = tablesIn(scope);
  const sides = equality.children.map((side) => sources.find(({ key }) => key === qualifier(side)));
  const [one, other] = sides;
  if (one?.table === undefined || other?.table === undefined || one.key === other.key) return [];
  const joined = sources.find((source) => join.children.includes(source.node));
  const [start, goal] = joined?.key === one.key ? [other, one] : [one, other];
  if (start.table === undefined || goal.table === undefined) return [];
  const direct = keysBetween(schema, start.table.id, goal.table.id);
  const paths =
    direct.length > 0
      ? direct.map((step) => [step])
      : [findJoinPath(schema, [start.table.id], goal.table.id)];
  const isOnly = direct.length === 1 && direct[0]?.isDeclared === true;
  const because = `${fault.text}; a key joins ${start.name} and ${goal.name}`;
  return paths.flatMap((path): Remedy[] => {
    const patches = path && onKeys(path, { start, goal, join, equality, place: { scope, query, schema } });
    if (path === undefined || patches === undefined) return [];
    const guess = isOnly
      ? undefined
      : `${start.name} and ${goal.name} are joined by ${keysOf(path, { scope, query, schema })}`;
    return [{ kind: 'join', patches, because, guess }];
  });
}

interface Rejoined {
  readonly start: Source & { readonly name: string };
  readonly goal: Source & { readonly name: string };
  readonly join: SqlNode;
  readonly equality: SqlNode;
  readonly place: JoinPlace;
}

/** The keys of a way in the place of an equality; tables between the two are joined before. */
function onKeys(
  path: readonly JoinStep[],
  { start, goal, join, equality, place }: Rejoined,
): readonly Patch[] | undefined {
  const { query, schema } = place;
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const names = new Map([
    [start.table?.id ?? '', quoted(start.name, query)],
    [goal.table?.id ?? '', quoted(goal.name, query)],
  ]);
  const between = path.slice(0, -1).map((step) => {
    names.set(step.to, quoted(schema.tables.get(step.to)?.name ?? step.to, query));
    return `JOIN ${writtenTable(step.to, place)} ON ${joinCondition(step, names, place)} `;
  });
  const patches: Patch[] = [
    { span: { start: equality.start, end: equality.end }, text: joinCondition(last, names, place) },
  ];
  if (between.length > 0)
    patches.push({ span: { start: join.start, end: join.start }, text: between.join('') });
  return patches;
}

function qualifier(side: SqlNode): string | undefined {
  return side.type === 'Column' ? child(side, 'table')?.value?.toLowerCase() : undefined;
}

/** One of the sources has a column of exactly this name. */
function ofAnotherSource(ailing: Ailing, sources: readonly Source[]): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const column = columnNode(ailing);
  if (column === undefined) return [];
  const owners = sources.filter(
    (source) => source.name !== undefined && columnOf(source, node.value ?? '') !== undefined,
  );
  const isOnly = owners.length === 1 && !isReferredTo(ailing);
  return owners.flatMap((source): Remedy[] => {
    const found = columnOf(source, node.value ?? '') ?? '';
    const name = source.name ?? '';
    const text = `${quoted(name, query)}.${quoted(found, query)}`;
    if (column.parent?.children.some((other) => other !== column && isText(other, text, query.tree.text)))
      return [];
    const guess = isOnly ? undefined : `${written(column, query)} is that of ${name}`;
    return [
      { kind: 'qualifier', patches: [rename(column, text)], because: `${fault.text}; ${name} has it`, guess },
    ];
  });
}

/** A table that the named one refers to, and that is not read, has the column as well. */
function isReferredTo(ailing: Ailing): boolean {
  const { query, schema, node } = ailing;
  const named = namedSource(ailing)?.table?.id;
  const here = new Set(tablesIn(scopeAt(node, query)).map(({ table }) => table?.id));
  return (
    named !== undefined &&
    holders(ailing).some(
      ({ tableId }) =>
        !here.has(tableId) && keysBetween(schema, named, tableId).some(({ isToOne }) => isToOne),
    )
  );
}

function written({ start, end }: SqlNode, { tree }: Ailing['query']): string {
  return tree.text.slice(start, end);
}

/** A column beside itself says nothing. */
function isText(node: SqlNode, text: string, sql: string): boolean {
  return sql.slice(node.start, node.end).toLowerCase() === text.toLowerCase();
}

/** The only table of the query has none of what is asked of it, and another has all. */
function ofAnotherTable(ailing: Ailing): readonly Remedy[] {
  const { fault, query, schema } = ailing;
  const scope = scopeAt(ailing.node, query);
  const [only, second] = scope?.sources ?? [];
  const name = only?.table && child(only.node, 'this');
  if (scope === undefined || name === undefined || second !== undefined) return [];
  const wanted = new Set<string>();
  for (const node of query.tree.nodes) {
    if (scopeAt(node, query) !== scope) continue;
    const reference = query.scopes.references[node.id];
    const isOwn = reference?.kind === 'column' && reference.scope === scope;
    if (isOwn && reference.output.key !== undefined) wanted.add(reference.output.key);
    if (reference?.kind === 'unknown' && reference.missing === 'column')
      wanted.add((reference.node.value ?? '').toLowerCase());
  }
  return schema.catalog.tables
    .filter((table) => [...wanted].every((key) => schema.columns.has(`${table.id}.${key}`)))
    .slice(0, MOST_CHOICES)
    .map(({ id, name: other }) => ({
      kind: 'table' as const,
      patches: retable(name, id, ailing),
      because: `${fault.text}; ${other} has all columns that are used`,
      guess: `${name.value} stands for the table ${other}`,
    }));
}

/** A table that is not joined has the column. A query that lacks a join may lack more: half of these are what was meant. */
function joinedTo(
  ailing: Ailing,
  columns: readonly { readonly tableId: string; readonly name: string }[],
): readonly Remedy[] {
  const { node, fault, query, schema } = ailing;
  const column = columnNode(ailing);
  if (column === undefined) return [];
  const scope = scopeAt(node, query);
  const place = { scope, query, schema };
  const here = tablesIn(scope).flatMap(({ table }) => table?.id ?? []);
  const found = columns.flatMap(({ tableId, name }) =>
    pathsTo(schema, here, tableId).flatMap((path) => {
      const joined = addJoin(tableId, place, { path });
      const table = schema.tables.get(tableId)?.name ?? tableId;
      return joined === undefined ? [] : [{ joined, name, table }];
    }),
  );
  const missing = missingAt(ailing);
  const covers = (table: string) =>
    missing.filter((key) => schema.columns.has(`${table.toLowerCase()}.${key}`)).length;
  found.sort((a, b) => a.joined.added.length - b.joined.added.length || covers(b.table) - covers(a.table));
  return found.slice(0, MOST_CHOICES).map(
    ({ joined, name, table }): Remedy => ({
      kind: 'join',
      patches: [...joined.patches, rename(column, `${joined.name}.${quoted(name, query)}`)],
      because: `${fault.text}; ${table} has it and is not joined`,
      guess: `${written(column, query)} is ${name} of ${table}, joined by ${keysOf(joined.path, place)}`,
    }),
  );
}

/** The ways over declared keys, shortest first; where there are none, the shortest over keys that are inferred. */
function pathsTo(
  schema: Ailing['schema'],
  here: readonly string[],
  goal: string,
): readonly (readonly JoinStep[])[] {
  const only = onlyDeclaredPath(schema, here, goal);
  if (only !== undefined) return [only];
  const declared = [...declaredPaths(schema, here, goal)].sort((a, b) => a.length - b.length);
  const inferred = declared.length > 0 ? undefined : findJoinPath(schema, here, goal);
  return inferred === undefined ? declared.slice(0, MOST_CHOICES) : [inferred];
}

/** Lower-case names of all columns that are missing in the scope. */
function missingAt({ node, query }: Ailing): readonly string[] {
  const scope = scopeAt(node, query);
  return query.scopes.references.flatMap((reference) =>
    reference?.kind === 'unknown' && scopeAt(reference.node, query) === scope
      ? [(reference.node.value ?? '').toLowerCase()]
      : [],
  );
}

/** A column with a name like it: of the table that was named, then of the others here. */
function ofLikeName(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const named = namedSource(ailing);
  const text = node.value ?? '';
  const target = columnNode(ailing);
  const found = sourcesAt(ailing).flatMap((source) =>
    source.columns.list.flatMap(({ name }) => {
      if (name === undefined || source.name === undefined) return [];
      const like = columnLikeness(text, name, source.table?.name ?? source.name);
      return like < LEAST_LIKE ? [] : [{ source, name, like: source === named ? like + 0.3 : like }];
    }),
  );
  return found
    .sort((a, b) => b.like - a.like)
    .slice(0, MOST_CHOICES)
    .map(({ source, name }): Remedy => {
      const qualified = `${quoted(source.name ?? '', query)}.${quoted(name, query)}`;
      const isPlain = target === undefined || child(target, 'table') === undefined;
      const patch =
        isPlain && scopeAt(node, query)?.sources.length === 1
          ? rename(node, quoted(name, query))
          : rename(target ?? node, qualified);
      return {
        kind: 'near-name',
        patches: [patch],
        because: `${fault.text}; ${name} is the nearest name`,
        guess: `${text} stands for ${name} of ${source.table?.name ?? source.name}`,
      };
    });
}

function ofLikeNameElsewhere(ailing: Ailing): readonly Remedy[] {
  const { node, schema } = ailing;
  const text = node.value ?? '';
  const like = (name: string) => nameLikeness(text, name);
  const near = [...schema.columns.values()]
    .filter(({ name }) => like(name) >= LEAST_LIKE_JOINED && name.toLowerCase() !== text.toLowerCase())
    .sort((a, b) => like(b.name) - like(a.name))
    .slice(0, MOST_CHOICES);
  return joinedTo(ailing, near).map((remedy) => ({
    ...remedy,
    kind: 'near-name' as const,
  }));
}
