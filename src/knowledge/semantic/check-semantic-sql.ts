import { significantTokens } from '../../sql/dialects/index.ts';
import { checkReadOnly, type DialectName, lexSql, parse } from '../../sql/index.ts';
import { bindSamples } from '../../sql/rewrite/index.ts';
import type { SemanticModel } from './semantic-model.ts';

interface Fragment {
  /** Whose text it is, for the message. */
  readonly owner: string;
  readonly text: string;
  /** A whole query that holds the fragment and nothing else. */
  readonly query: string;
}

/**
 * Problems of the SQL in a semantic model: every expression and filter is put into a query of its own, which must
 * parse as one reading statement. A fragment that closes a bracket or ends the statement does not get through.
 */
export function checkSemanticSql(model: SemanticModel, dialect: DialectName): readonly string[] {
  const problems: string[] = [];
  for (const { owner, text, query } of [...fragmentsOf(model), ...policyFragmentsOf(model, dialect)]) {
    if (leavesItsBrackets(text, dialect)) {
      problems.push(`${owner}: “${text}” is no SQL expression: its brackets do not close`);
      continue;
    }
    const parsed = parse(query, dialect);
    if (!parsed.ok) {
      problems.push(`${owner}: “${text}” is no SQL expression: ${parsed.error.message}`);
      continue;
    }
    const verdict = checkReadOnly(parsed.tree);
    if (!verdict.readOnly) problems.push(`${owner}: “${text}” is not allowed: ${verdict.reason}`);
  }
  return problems;
}

/** "1) UNION SELECT … (1" parses inside brackets, and is no expression of its own. */
function leavesItsBrackets(text: string, dialect: DialectName): boolean {
  let depth = 0;
  for (const token of lexSql(text, dialect)) {
    if (token.kind === 'comment' || token.kind === 'broken') return true;
    if (token.kind !== 'operator') continue;
    for (const character of token.text) depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth < 0) return true;
  }
  return depth !== 0;
}

/** SQL of the access policy, which may name properties of a session. */
function policyFragmentsOf(model: SemanticModel, dialect: DialectName): Fragment[] {
  const fragment = (owner: string, sql: string): Fragment => {
    const text = bindSamples(sql, dialect);
    return { owner, text, query: `SELECT 1 WHERE (${text})` };
  };
  return model.datasets.flatMap(({ name, rowFilter, columnMasks = {} }) => [
    ...(rowFilter === undefined ? [] : [fragment(`row filter of ${name}`, rowFilter)]),
    ...Object.entries(columnMasks).map(([column, mask]) => fragment(`mask of ${column}`, mask)),
  ]);
}

function fragmentsOf(model: SemanticModel): Fragment[] {
  const condition = (owner: string, text: string): Fragment => ({
    owner,
    text,
    query: `SELECT 1 WHERE (${text})`,
  });
  return [
    ...model.datasets.flatMap(({ name, defaultFilter }) =>
      defaultFilter === undefined ? [] : [condition(`default filter of ${name}`, defaultFilter.sql)],
    ),
    ...model.metrics.flatMap(({ name, expression, filters, conditionalFilters }) => [
      ...(expression === undefined
        ? []
        : [{ owner: `metric ${name}`, text: expression, query: `SELECT (${expression})` }]),
      ...filters.map((text) => condition(`filter of metric ${name}`, text)),
      ...conditionalFilters.flatMap((filter) =>
        [filter.then, filter.otherwise].map((text) =>
          condition(`conditional filter of metric ${name}`, text),
        ),
      ),
    ]),
  ];
}

/** The `table.column` pairs of a fragment of SQL, in lower case. */
export function columnsInSql(sql: string): readonly string[] {
  const tokens = significantTokens(lexSql(sql, 'sqlite'));
  return tokens.flatMap((token, index) => {
    const [dot, column] = [tokens[index + 1], tokens[index + 2]];
    return token.kind === 'word' && dot?.text === '.' && column?.kind === 'word'
      ? [`${token.text}.${column.text}`.toLowerCase()]
      : [];
  });
}

/** The tables that subqueries of a fragment read, in lower case, with their schema where it is written. */
export function tablesInSql(sql: string): readonly string[] {
  const tokens = significantTokens(lexSql(sql, 'sqlite'));
  const textAt = (index: number): string => (tokens[index]?.text ?? '').toLowerCase();
  // `EXTRACT(YEAR FROM day)` has a FROM of its own.
  const first = tokens.findIndex(({ text }) => /^select$/i.test(text));
  const made = tokens.flatMap((_, at) =>
    textAt(at + 1) === 'as' && textAt(at + 2) === '(' ? [bare(textAt(at))] : [],
  );
  const read = tokens.flatMap(({ kind }, at) => {
    const isRead = first >= 0 && at > first && /^(?:from|join)$/.test(textAt(at - 1));
    if (!isRead || (kind !== 'word' && kind !== 'quoted-name')) return [];
    const parts = [bare(textAt(at))];
    for (let next = at + 1; textAt(next) === '.'; next += 2) parts.push(bare(textAt(next + 1)));
    return [parts.join('.')];
  });
  return read.filter((name) => !made.includes(name));
}

function bare(name: string): string {
  return name.replace(/^["`[]|["`\]]$/g, '');
}
