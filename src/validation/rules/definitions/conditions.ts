/** Conditions of a query on one column, and whether they keep to a condition that people have written. */
import { columnsInSql } from '../../../knowledge/index.ts';
import {
  ancestor,
  child,
  type DialectName,
  parse,
  type Source,
  type SqlNode,
  walk,
} from '../../../sql/index.ts';
import { accepts, type IsColumn, type Value } from './evaluate.ts';
import { aggregateAround, conditionOf, type Mention, type QueryUses } from './query-uses.ts';

export interface Said {
  readonly node: SqlNode;
  readonly mention: Mention;
  /** CASE WHEN … THEN 0: what is met is left out. */
  readonly isInverted: boolean;
  /** It holds for one aggregate, not for the rows of its query. */
  readonly within: SqlNode | undefined;
}

/** Everything that is asked of a column of one use of its table. */
export function conditionsOn(column: string, uses: QueryUses, source?: Source): readonly Said[] {
  return uses.mentionsOf(column, source).flatMap((mention) => {
    const node = conditionOf(mention.node);
    if (node === undefined || mention.isMade === true || (source !== undefined && isOutside(node, source)))
      return [];
    return [{ node, mention, isInverted: leavesOut(node), within: aggregateAround(mention.node) }];
  });
}

/** A LEFT JOIN keeps the rows before it, whatever its ON says of them. */
function isOutside(node: SqlNode, source: Source): boolean {
  const join = ancestor(node, ({ type }) => type === 'Join' || type === 'Select');
  if (join?.type !== 'Join' || join.flags.side !== 'LEFT') return false;
  return !(join.start <= source.node.start && source.node.end <= join.end) && join.start > source.node.start;
}

function leavesOut(condition: SqlNode): boolean {
  const branch = condition.parent?.type === 'If' ? condition.parent : undefined;
  const result = branch && child(branch, 'true');
  return result?.type === 'Null' || (result?.type === 'Literal' && result.value === '0');
}

/** The column is shown or grouped by: whoever reads the rows sees what they are of. */
export function isShown(column: string, uses: QueryUses, source?: Source): boolean {
  return uses
    .mentionsOf(column, source)
    .some(
      ({ node, isMade }) =>
        isMade !== true && conditionOf(node) === undefined && aggregateAround(node) === undefined,
    );
}

/** Whether a condition lets a value pass; undefined where it cannot be told. */
export function lets(
  { node, mention: { source, id }, isInverted }: Said,
  value: Value,
  uses: QueryUses,
): boolean | undefined {
  const isColumn: IsColumn = (one) =>
    uses.homesOf(one).some((home) => home.source === source && home.id === id);
  const passes = accepts(node, isColumn, value);
  return passes === undefined ? undefined : passes !== isInverted;
}

export interface Rule {
  readonly sql: string;
  readonly columns: readonly string[];
  /** Of one column only. */
  readonly passes?: (value: Value) => boolean | undefined;
  readonly literals: readonly Value[];
}

/** A condition of the semantic model, read. */
export function readRule(sql: string, dialect: DialectName): Rule {
  const columns = [...new Set(columnsInSql(sql))];
  const parsed = parse(`SELECT 1 FROM t WHERE ${sql}`, dialect);
  const where = parsed.ok ? child(parsed.tree.root, 'where') : undefined;
  const condition = where && child(where, 'this');
  if (condition === undefined || columns.length !== 1) return { sql, columns, literals: [] };
  return {
    sql,
    columns,
    passes: (value) => accepts(condition, ({ type }) => type === 'Column', value),
    literals: literalsIn(condition),
  };
}

export function literalsIn(node: SqlNode): readonly Value[] {
  const found: Value[] = [];
  for (const one of walk(node)) {
    if (one.type === 'Select') break;
    if (one.type === 'Literal')
      found.push(one.flags.string === undefined ? Number(one.value) : (one.value ?? ''));
  }
  return found;
}

/** Values that nothing was written about. */
const FRESH: readonly Value[] = [0, 1, 2, 'other', '2099-12-31'];

/** What a column may hold, as far as it is written: of a flag or of a list of codes nothing else; NULL only where it is spoken of. */
function domainOf(said: Said, { sql, columns, literals }: Rule, { semantics }: QueryUses): readonly Value[] {
  const mapped = semantics.valueMappings.filter(({ column }) => columns.includes(column));
  const written = [...literals, ...literalsIn(said.node), ...mapped.map(({ value }) => value)];
  const isFlag = written.length > 0 && written.every((value) => value === 0 || value === 1);
  const open = isFlag ? [0, 1] : mapped.length > 0 ? [] : FRESH;
  return [...open, ...written, ...(/\bnull\b/i.test(sql) ? [null] : [])];
}

/** Every value that the rule keeps out is met by the condition. */
export function meetsAllOut(said: Said, rule: Rule, uses: QueryUses): boolean {
  const { passes } = rule;
  if (passes === undefined) return false;
  return domainOf(said, rule, uses).every(
    (value) => passes(value) !== false || lets(said, value, uses) === true,
  );
}

/** No value passes the condition that the rule keeps out. */
export function keeps(said: Said, rule: Rule, uses: QueryUses): boolean {
  const { passes } = rule;
  if (passes === undefined) return true;
  return domainOf(said, rule, uses).every(
    (value) => passes(value) !== false || lets(said, value, uses) !== true,
  );
}
