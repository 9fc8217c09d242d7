import { readOneColumn } from '../../semantic/semantic-file.ts';
import type { ImportContext } from '../conversion/import-context.ts';
import { type BlockData, blocks } from '../conversion/vendor-block.ts';
import type { LeanRelationship } from '../foreign/lean-model.ts';
import { resolveExpression } from '../foreign/resolve-expression.ts';
import { columnText, equalColumnsIn } from '../foreign/sql-expression.ts';
import { isSame } from '../foreign/tree-changes.ts';
import type { LookmlView } from './import-lookml-view.ts';
import {
  elementsOf,
  fieldKey,
  isBlock,
  keepOthers,
  LOOKML_VENDOR,
  type LookmlElement,
  lose,
  placeIn,
  plainLookmlSql,
  textOf,
} from './lookml-element.ts';

export interface ReadExplores {
  readonly relationships: readonly LeanRelationship[];
  /** Filters on the rows of a view, by its name: what goes into our block of its dataset. */
  readonly ours: ReadonlyMap<string, BlockData>;
  readonly aside: readonly LookmlElement[];
}

/** Explores: their joins become relationships, their filters row filters and default filters of the view. */
export function importExplores(
  explores: readonly LookmlElement[],
  views: readonly LookmlView[],
  desk: ImportContext,
): ReadExplores {
  const relationships: LeanRelationship[] = [];
  const ours = new Map<string, BlockData>();
  const aside: LookmlElement[] = [];
  for (const explore of explores) {
    const baseName = textOf(explore, 'from') ?? textOf(explore, 'view_name') ?? explore.name;
    const base = views.find(({ view }) => view.name === baseName);
    if (base === undefined) {
      lose(
        desk,
        'kept',
        explore,
        `explore ${explore.name} starts from ${baseName}, which is no view of a table here`,
      );
      aside.push(explore);
      continue;
    }
    const alias = new Map([[explore.name, base]]);
    for (const join of elementsOf(explore, 'join')) {
      const read = readJoin(join, { alias, views, explore });
      if (typeof read === 'string') {
        lose(desk, 'kept', join, `the join of ${explore.name} to ${join.name} ${read}`);
        aside.push({ ...join, name: `${explore.name}.${join.name}` });
        continue;
      }
      const { name: _, ...content } = read;
      if (relationships.some(({ name: __, ...other }) => isSame(other, content))) continue;
      const names = new Set(relationships.map(({ name }) => name));
      const name = names.has(read.name) ? `${explore.name}_${read.name}` : read.name;
      desk.places.set(`relationship ${name}`, placeIn(join));
      relationships.push({ ...read, name });
    }
    readRowFilters(explore, { alias, base, ours, views, desk });
    const used = ['from', 'view_name', 'join', 'access_filter', 'sql_always_where'];
    keepOthers(explore, used, desk);
  }
  return { relationships, ours, aside };
}

interface JoinContext {
  /** Views by the names they have in the explore; joins add theirs. */
  readonly alias: Map<string, LookmlView>;
  readonly views: readonly LookmlView[];
  readonly explore: LookmlElement;
}

/** The relationship, or why it is none. */
function readJoin(join: LookmlElement, { alias, views, explore }: JoinContext): LeanRelationship | string {
  const viewName = textOf(join, 'from') ?? textOf(join, 'view_name') ?? join.name;
  const joined = views.find(({ view }) => view.name === viewName);
  if (joined === undefined) return `names ${viewName}, which is no view of a table here`;
  alias.set(join.name, joined);
  const relationship = textOf(join, 'relationship') ?? 'many_to_one';
  if (relationship === 'many_to_many') return 'is many to many, which no join path is';
  const foreign = textOf(join, 'foreign_key');
  const sql = foreign === undefined ? textOf(join, 'sql_on') : undefined;
  const plain = sql === undefined ? undefined : plainLookmlSql(sql, join.name);
  const pairs = foreign === undefined ? plain && equalColumnsIn(plain) : foreignPair(foreign, join, explore);
  if (!pairs) return 'is no equality of columns';
  const sides = pairs.map((pair) =>
    [...pair].sort((a, b) => Number(isOf(a, join.name)) - Number(isOf(b, join.name))),
  );
  const others = new Set(sides.map(([left]) => left?.at(-2) ?? ''));
  const [otherName = ''] = others;
  const other = alias.get(otherName);
  if (others.size !== 1 || other === undefined || otherName === join.name)
    return 'joins more than two views at once';
  const own = sides.flatMap(([, right]) => columnOf(right, joined) ?? []);
  const far = sides.flatMap(([left]) => columnOf(left, other) ?? []);
  if (own.length !== pairs.length || far.length !== pairs.length) return 'joins on what is no column';
  const isTurned = relationship === 'one_to_many';
  const [from, to] = isTurned ? [joined, other] : [other, joined];
  const role = join.name === viewName ? undefined : join.name.replaceAll('_', ' ');
  return {
    name: `${otherName}_${join.name}`,
    from: from.view.name,
    to: to.view.name,
    from_columns: isTurned ? own : far,
    to_columns: isTurned ? far : own,
    ...withBlocks({ CANDOR: { role }, [LOOKML_VENDOR]: { type: textOf(join, 'type') } }),
  };
}

function withBlocks(data: Readonly<Record<string, BlockData>>): Pick<LeanRelationship, 'custom_extensions'> {
  const custom_extensions = blocks(data);
  return custom_extensions === undefined ? {} : { custom_extensions };
}

/** `foreign_key: customer_id`: that field is the primary key of the joined view. */
function foreignPair(
  foreign: string,
  join: LookmlElement,
  explore: LookmlElement,
): readonly (readonly [readonly string[], readonly string[]])[] {
  const [field = '', owner = explore.name] = foreign.split('.').reverse();
  return [
    [
      [owner, fieldKey(field)],
      [join.name, PRIMARY_KEY],
    ],
  ];
}

const PRIMARY_KEY = 'primary key';

function isOf(parts: readonly string[], view: string): boolean {
  return parts.at(-2)?.toLowerCase() === view.toLowerCase();
}

function columnOf(parts: readonly string[] | undefined, { view, home }: LookmlView): string | undefined {
  const name = parts?.at(-1) ?? '';
  const keys = elementsOf(view, 'dimension').filter((field) => textOf(field, 'primary_key') === 'yes');
  if (name === PRIMARY_KEY && keys.length !== 1) return undefined;
  const member = name === PRIMARY_KEY ? fieldKey(keys[0]?.name ?? '') : name;
  const resolved = resolveExpression(columnText(member), [home], home);
  const isOwn = resolved?.tables.every((table) => table === home.table) === true;
  return isOwn ? readOneColumn(resolved?.sql ?? '') : undefined;
}

interface FilterContext {
  readonly alias: ReadonlyMap<string, LookmlView>;
  readonly base: LookmlView;
  readonly ours: Map<string, BlockData>;
  readonly views: readonly LookmlView[];
  readonly desk: ImportContext;
}

/** `access_filter` keeps people from rows, so it holds for the view in every question, not in this explore alone. */
function readRowFilters(explore: LookmlElement, { alias, base, ours, desk }: FilterContext): void {
  for (const { key, value } of explore.entries) {
    if (key !== 'access_filter' || typeof value === 'string' || !isBlock(value)) continue;
    const [field = '', owner = explore.name] = (textOf(value, 'field') ?? '').split('.').reverse();
    const property = textOf(value, 'user_attribute') ?? '';
    const view = alias.get(owner);
    const column = view && columnOf([owner, fieldKey(field)], view);
    if (view === undefined || column === undefined || !/^[A-Za-z_]\w*$/.test(property)) {
      lose(desk, 'kept', explore, 'an access filter has no effect here: write a `row_filter` by hand');
      continue;
    }
    const condition = `${columnText(column)} = :${property}`;
    const before = ours.get(view.view.name) ?? {};
    const conditions = [before.row_filter, condition].filter((part) => part !== undefined);
    const row_filter = [...new Set(conditions.map(String))].join(' AND ');
    ours.set(view.view.name, { ...before, row_filter });
    const rest =
      view === base ? '' : `; rows of ${base.view.name} are not filtered: write a \`row_filter\` there`;
    const what = `the access filter of ${explore.name} holds for ${view.view.name} everywhere${rest}`;
    lose(desk, 'approximated', explore, what);
  }
  const where = textOf(explore, 'sql_always_where');
  if (where === undefined) return;
  const plain = plainLookmlSql(where, explore.name);
  const named = { ...base.home, name: explore.name };
  const resolved = plain === undefined ? undefined : resolveExpression(plain, [named], named);
  if (resolved === undefined) {
    lose(
      desk,
      'kept',
      explore,
      '`sql_always_where` has no effect here: it is not over the columns of one table',
    );
    return;
  }
  const text = `where ${resolved.sql}`;
  ours.set(base.view.name, { ...ours.get(base.view.name), default_filter: { sql: resolved.sql, text } });
  lose(
    desk,
    'approximated',
    explore,
    `\`sql_always_where\` of ${explore.name} holds for ${base.view.name} everywhere`,
  );
}
