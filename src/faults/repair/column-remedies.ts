/** What may be done about a column that its table does not have, or that several tables have. */
import {
  ancestor,
  child,
  childrenIn,
  DIALECTS,
  isAggregateCall,
  type Patch,
  quoteText,
  type Source,
  type SqlNode,
} from '../../sql/index.ts';
import { addJoin, joinCondition, writtenTable } from './add-join.ts';
import { declaredPaths, findJoinPath } from './join-path.ts';
import { columnLikeness, nameLikeness } from './name-likeness.ts';
import { type Ailing, columnOf, quoted, type Remedy, scopeAt, tablesIn } from './remedy.ts';
import { rightColumn } from './repair-by-rules.ts';
import { retable } from './table-remedies.ts';

const MOST_CHOICES = 3;
const LEAST_LIKE = 0.45;
/** A table that has only a name like the one written must be surer to be worth a join. */
const LEAST_LIKE_JOINED = 0.7;

/** In the order in which they are tried. */
export function columnRemedies(ailing: Ailing): readonly Remedy[] {
  const { fault, node, query } = ailing;
  const spelled = rightColumn(node, query);
  const respelled: readonly Remedy[] =
    spelled === undefined
      ? []
      : [{ kind: 'spelling', patches: [rename(node, quoted(spelled, query))], because: fault.text }];
  const sure = [
    ...quotedWhole(ailing),
    ...quotedParts(ailing),
    ...respelled,
    ...ofOwnList(ailing),
    ...joinedByKeys(ailing),
    ...ofAnotherSource(ailing, scopeAt(node, query)?.sources ?? []),
  ];
  // Whoever writes the table before a column means that table: another one is joined where only one way leads to it.
  if (isOfferedElsewhere(ailing))
    return [...sure, ...joinedByOnlyPath(ailing), ...ofAnotherSource(ailing, sourcesAt(ailing))];
  return [
    ...sure,
    ...ofAnotherTable(ailing),
    ...ofJoinedTable(ailing),
    ...ofAnotherSource(ailing, sourcesAt(ailing)),
    ...quotedText(ailing),
    ...ofLikeName(ailing),
    ...ofLikeNameElsewhere(ailing),
  ];
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
  if (meant === undefined || meant === column || isComputedLater(meant)) return [];
  const written = query.tree.text.slice(meant.start, meant.end);
  const text = meant.type === 'Column' || meant.flags.call !== undefined ? written : `(${written})`;
  const because = `${fault.text}; ${node.value} is a name of the list, which is not known here yet`;
  return [{ kind: 'alias', patches: [rename(column, text)], because }];
}

/** Aggregates and windows are computed after the clauses in which a name is looked up. */
function isComputedLater(node: SqlNode): boolean {
  return isAggregateCall(node) || node.type === 'Window' || node.children.some(isComputedLater);
}

/** `city = "Lyon"`: an engine that takes double quotes for names does not find what is meant as a text. */
function quotedText(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const column = columnNode(ailing) ?? node;
  const isQuoted = node.flags.quoted === '"' && child(column, 'table') === undefined;
  const other = column.parent?.children.find((side) => side !== column && side.type === 'Column');
  if (!isQuoted || !COMPARISONS.has(column.parent?.type ?? '') || other === undefined) return [];
  const text = quoteText(node.value ?? '', DIALECTS[query.tree.dialect]);
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

/** The one table that has this column, over the one way of declared keys that leads there. */
function joinedByOnlyPath(ailing: Ailing): readonly Remedy[] {
  const { node, query, schema } = ailing;
  const here = tablesIn(scopeAt(node, query)).flatMap(({ table }) => table?.id ?? []);
  const reached = holders(ailing).flatMap((held) =>
    declaredPaths(schema, here, held.tableId).map((path) => ({ held, path })),
  );
  const [only, second] = reached;
  return only === undefined || second !== undefined ? [] : joinedTo(ailing, [only.held]);
}

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
  const path = findJoinPath(schema, [start.table.id], goal.table.id);
  const last = path?.at(-1);
  if (path === undefined || last === undefined) return [];
  const place = { scope, query, schema };
  const names = new Map([
    [start.table.id, quoted(start.name, query)],
    [goal.table.id, quoted(goal.name, query)],
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
  return [{ kind: 'join', patches, because: `${fault.text}; a key joins ${start.name} and ${goal.name}` }];
}

function qualifier(side: SqlNode): string | undefined {
  return side.type === 'Column' ? child(side, 'table')?.value?.toLowerCase() : undefined;
}

/** One of the sources has a column of exactly this name. */
function ofAnotherSource(ailing: Ailing, sources: readonly Source[]): readonly Remedy[] {
  const { node, fault, query } = ailing;
  const column = columnNode(ailing);
  if (column === undefined) return [];
  return sources.flatMap((source): Remedy[] => {
    const found = columnOf(source, node.value ?? '');
    if (found === undefined || source.name === undefined) return [];
    const text = `${quoted(source.name, query)}.${quoted(found, query)}`;
    if (column.parent?.children.some((other) => other !== column && isText(other, text, query.tree.text)))
      return [];
    return [
      { kind: 'qualifier', patches: [rename(column, text)], because: `${fault.text}; ${source.name} has it` },
    ];
  });
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
    }));
}

/** A table that is not joined has a column of exactly this name. */
function ofJoinedTable(ailing: Ailing): readonly Remedy[] {
  return joinedTo(ailing, holders(ailing));
}

function joinedTo(ailing: Ailing, columns: readonly { readonly tableId: string; readonly name: string }[]) {
  const { node, fault, query, schema } = ailing;
  const column = columnNode(ailing);
  if (column === undefined) return [];
  const scope = scopeAt(node, query);
  const found = columns.flatMap(({ tableId, name }) => {
    const joined = addJoin(tableId, { scope, query, schema });
    return joined === undefined ? [] : [{ joined, name, table: schema.tables.get(tableId)?.name ?? tableId }];
  });
  const missing = missingAt(ailing);
  const covers = (table: string) =>
    missing.filter((key) => schema.columns.has(`${table.toLowerCase()}.${key}`)).length;
  found.sort((a, b) => a.joined.added.length - b.joined.added.length || covers(b.table) - covers(a.table));
  return found.slice(0, MOST_CHOICES).map(
    ({ joined, name, table }): Remedy => ({
      kind: 'join',
      patches: [...joined.patches, rename(column, `${joined.name}.${quoted(name, query)}`)],
      because: `${fault.text}; ${table} has it and is not joined`,
    }),
  );
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
  const written = node.value ?? '';
  const target = columnNode(ailing);
  const found = sourcesAt(ailing).flatMap((source) =>
    source.columns.list.flatMap(({ name }) => {
      if (name === undefined || source.name === undefined) return [];
      const like = columnLikeness(written, name, source.table?.name ?? source.name);
      return like < LEAST_LIKE ? [] : [{ source, name, like: source === named ? like + 0.3 : like }];
    }),
  );
  return found
    .sort((a, b) => b.like - a.like)
    .slice(0, MOST_CHOICES)
    .map(({ source, name }): Remedy => {
      const text = `${quoted(source.name ?? '', query)}.${quoted(name, query)}`;
      const isPlain = target === undefined || child(target, 'table') === undefined;
      const patch =
        isPlain && scopeAt(node, query)?.sources.length === 1
          ? rename(node, quoted(name, query))
          : rename(target ?? node, text);
      return { kind: 'near-name', patches: [patch], because: `${fault.text}; ${name} is the nearest name` };
    });
}

function ofLikeNameElsewhere(ailing: Ailing): readonly Remedy[] {
  const { node, schema } = ailing;
  const written = node.value ?? '';
  const like = (name: string) => nameLikeness(written, name);
  const near = [...schema.columns.values()]
    .filter(({ name }) => like(name) >= LEAST_LIKE_JOINED)
    .sort((a, b) => like(b.name) - like(a.name))
    .slice(0, MOST_CHOICES);
  return joinedTo(ailing, near).map((remedy) => ({ ...remedy, kind: 'near-name' as const }));
}

/** Which of the columns is meant: where a key makes them equal it does not matter, else the first of the query. */
export function choiceRemedies(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query, schema } = ailing;
  const column = columnNode(ailing) ?? node;
  const reference = query.scopes.references[column.id] ?? query.scopes.references[node.id];
  if (reference?.kind !== 'ambiguous') return [];
  const held = reference.candidates.flatMap(({ source, output }) =>
    source?.name === undefined ? [] : [{ name: source.name, id: output.lineage.physical[0]?.id ?? '' }],
  );
  const isOne = held.every(
    ({ id }, at) => at === 0 || held.slice(0, at).some((other) => schema.isKeyPair(id, other.id)),
  );
  const used = (name: string) =>
    query.tree.nodes.some(
      (other) =>
        other.type === 'Column' &&
        qualifier(other) === name.toLowerCase() &&
        child(other, 'this')?.value?.toLowerCase() === node.value?.toLowerCase() &&
        ancestor(other, ({ type }) => type === 'Join') === undefined,
    );
  const ordered = isOne ? held : [...held].sort((a, b) => Number(used(b.name)) - Number(used(a.name)));
  return ordered.map(({ name }) => ({
    kind: 'choice',
    patches: [rename(column, `${quoted(name, query)}.${quoted(node.value ?? '', query)}`)],
    because: isOne ? `${fault.text}; a key makes them equal` : `${fault.text}; ${name} is taken`,
  }));
}
