/** What the text of a gold query says about how to score it. */
import { lexSql, significantTokens } from '../../sql/index.ts';

/** Spider's four grades of a query. */
export type Hardness = 'easy' | 'medium' | 'hard' | 'extra';

interface Word {
  readonly text: string;
  readonly depth: number;
}

/** True when the whole result is ordered; an ORDER BY inside brackets orders only a part. */
export function hasTopLevelOrder(sql: string): boolean {
  const words = readWords(sql);
  return words.some(({ text, depth }, i) => depth === 0 && text === 'order' && words[i + 1]?.text === 'by');
}

/**
 * Spider's own grading (components of the outer query, nested queries, and "others"), read from the tokens.
 * `gradeHardness('SELECT count(*) FROM singer')` → `'easy'`.
 */
export function gradeHardness(sql: string): Hardness {
  const { components, nested, others } = countParts(sql);
  if (components <= 1 && others === 0 && nested === 0) return 'easy';
  if (nested === 0 && ((others <= 2 && components <= 1) || (components <= 2 && others < 2))) return 'medium';
  const isHard =
    (others > 2 && components <= 2 && nested === 0) ||
    (components > 2 && components <= 3 && others <= 2 && nested === 0) ||
    (components <= 1 && others === 0 && nested <= 1);
  return isHard ? 'hard' : 'extra';
}

const AGGREGATES = new Set(['max', 'min', 'count', 'sum', 'avg']);
const SET_OPERATORS = new Set(['union', 'intersect', 'except']);
const CLAUSES = new Set(['select', 'from', 'where', 'group', 'having', 'order', 'limit', ...SET_OPERATORS]);

/** Counts over the first block of the outer query, as the official script does; its set operations count as nested. */
function countParts(sql: string): { components: number; nested: number; others: number } {
  const words = readWords(sql);
  const outer = words.filter(({ depth }) => depth === 0);
  const setAt = outer.findIndex(({ text }) => SET_OPERATORS.has(text));
  const block = outer.slice(0, setAt === -1 ? undefined : setAt).map(({ text }) => text);
  const clauses = splitClauses(block);
  const where = clauses.get('where') ?? [];
  const having = clauses.get('having') ?? [];
  const joins = block.filter((text) => text === 'join').length + count(clauses.get('from'), ',');
  const conditions = [...where, ...having, ...(clauses.get('from') ?? [])];
  const components =
    ['where', 'group', 'order', 'limit'].filter((name) => clauses.has(name)).length +
    joins +
    count(conditions, 'or') +
    count(conditions, 'like');
  // A quirk of the official script: in conditions it counts NOT where it means to count aggregates.
  const aggregates =
    ['select', 'group', 'order'].reduce((sum, name) => sum + countAggregates(clauses.get(name) ?? []), 0) +
    count([...where, ...having], 'not');
  const isMultiple = [
    aggregates > 1,
    count(clauses.get('select'), ',') > 0,
    countConditions(where) > 1,
    count(clauses.get('group'), ',') > 0,
  ];
  const nestedInConditions = subqueriesInConditions(words);
  return {
    components,
    nested: nestedInConditions + (setAt === -1 ? 0 : 1),
    others: isMultiple.filter(Boolean).length,
  };
}

function splitClauses(block: readonly string[]): Map<string, string[]> {
  const clauses = new Map<string, string[]>();
  let current: string[] = [];
  for (const text of block) {
    if (CLAUSES.has(text)) {
      current = [];
      clauses.set(text, current);
    } else current.push(text);
  }
  return clauses;
}

function countAggregates(texts: readonly string[]): number {
  return texts.filter((text, i) => AGGREGATES.has(text) && texts[i + 1] === '(').length;
}

/** `between 1 and 2` is one condition. */
function countConditions(where: readonly string[]): number {
  if (where.length === 0) return 0;
  return 1 + count(where, 'and') + count(where, 'or') - count(where, 'between');
}

/** Brackets that open a query inside WHERE, HAVING or a join's condition of the first outer block. */
function subqueriesInConditions(words: readonly Word[]): number {
  let found = 0;
  let clause = '';
  for (const [i, { text, depth }] of words.entries()) {
    if (depth === 0 && SET_OPERATORS.has(text)) break;
    if (depth === 0 && CLAUSES.has(text)) clause = text;
    const opensQuery = text === '(' && depth === 0 && words[i + 1]?.text === 'select';
    if (opensQuery && clause !== 'from') found += 1;
  }
  return found;
}

function count(texts: readonly string[] | undefined, wanted: string): number {
  return texts?.filter((text) => text === wanted).length ?? 0;
}

/** Tokens in lower case; a bracket stands at the depth outside it. */
function readWords(sql: string): Word[] {
  let depth = 0;
  return significantTokens(lexSql(sql, 'sqlite')).map((token) => {
    if (token.text === ')') depth -= 1;
    const word = { text: token.kind === 'text' ? "''" : token.text.toLowerCase(), depth };
    if (token.text === '(') depth += 1;
    return word;
  });
}
