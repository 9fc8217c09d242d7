import type { Dialect } from '../dialects/dialect.ts';
import { quoteText, writeName } from '../dialects/quoting.ts';
import type { Span } from '../dialects/span.ts';
import type {
  Cause,
  Comparison,
  Expression,
  FromTable,
  Join,
  OrderItem,
  Predicate,
  Query,
  SelectItem,
  SelectQuery,
} from './query.ts';

/** A part of the printed text with the cause it carries. */
export interface PrintedPart {
  readonly span: Span;
  readonly text: string;
  readonly cause: Cause;
}

export interface PrintedQuery {
  readonly sql: string;
  readonly parts: readonly PrintedPart[];
}

/** Prints a query tree of ours in a dialect: `SELECT …` on one line, and where each part with a cause stands. */
export function printQuery(query: Query, dialect: Dialect): PrintedQuery {
  const writer = new Writer(dialect);
  writeQuery(query, writer);
  return { sql: writer.text, parts: writer.parts };
}

/** Collects text and remembers the span of whatever was written under a cause. */
class Writer {
  text = '';
  readonly parts: PrintedPart[] = [];
  readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  put(text: string): void {
    this.text += text;
  }

  under(cause: Cause | undefined, write: () => void): void {
    const start = this.text.length;
    write();
    if (cause !== undefined) {
      const span = { start, end: this.text.length };
      this.parts.push({ span, text: this.text.slice(start), cause });
    }
  }

  list<T>(items: readonly T[], separator: string, write: (item: T) => void): void {
    items.forEach((item, index) => {
      if (index > 0) this.put(separator);
      write(item);
    });
  }
}

function writeQuery(query: Query, out: Writer): void {
  if (query.kind === 'select') return writeSelect(query, out);
  writeQuery(query.left, out);
  out.put(` ${query.operator.toUpperCase()} `);
  writeQuery(query.right, out);
}

function writeSelect(query: SelectQuery, out: Writer): void {
  if (query.ctes?.length) {
    out.put('WITH ');
    out.list(query.ctes, ', ', (cte) => {
      out.put(`${writeName(cte.name, out.dialect.name)} AS (`);
      writeQuery(cte.query, out);
      out.put(')');
    });
    out.put(' ');
  }
  out.put(query.distinct ? 'SELECT DISTINCT ' : 'SELECT ');
  out.list(query.select, ', ', (item) => writeSelectItem(item, out));
  out.put(' FROM ');
  writeFrom(query.from, out);
  for (const join of query.joins) writeJoin(join, out);
  writeConditions(' WHERE ', query.where, out);
  if (query.groupBy.length > 0) {
    out.put(' GROUP BY ');
    out.list(query.groupBy, ', ', (item) => writeExpression(item, out));
  }
  writeConditions(' HAVING ', query.having, out);
  writeOrder(query.orderBy, out);
  if (query.limit !== undefined) out.put(` LIMIT ${Math.trunc(query.limit)}`);
}

function writeSelectItem(item: SelectItem, out: Writer): void {
  writeExpression(item.expression, out);
  if (item.alias !== undefined) out.put(` AS ${writeName(item.alias, out.dialect.name)}`);
}

function writeFrom(from: FromTable, out: Writer): void {
  out.under(from.cause, () => {
    out.list([...(from.qualifier ?? []), from.table], '.', (name) =>
      out.put(writeName(name, out.dialect.name)),
    );
    if (from.alias !== undefined) out.put(` AS ${writeName(from.alias, out.dialect.name)}`);
  });
}

function writeJoin(join: Join, out: Writer): void {
  out.put(join.kind === 'left' ? ' LEFT JOIN ' : ' JOIN ');
  out.under(join.cause, () => {
    writeFrom(join.table, out);
    out.put(' ON ');
    out.list(join.on, ' AND ', (pair) => {
      writeExpression(pair.left, out);
      out.put(' = ');
      writeExpression(pair.right, out);
    });
  });
}

function writeConditions(keyword: string, predicates: readonly Predicate[], out: Writer): void {
  if (predicates.length === 0) return;
  out.put(keyword);
  out.list(predicates, ' AND ', (predicate) => {
    if (predicate.kind === 'or' || predicate.kind === 'raw')
      writeParenthesised(() => writePredicate(predicate, out), out);
    else writePredicate(predicate, out);
  });
}

function writeOrder(items: readonly OrderItem[], out: Writer): void {
  if (items.length === 0) return;
  out.put(' ORDER BY ');
  writeOrderItems(items, out);
}

function writeOrderItems(items: readonly OrderItem[], out: Writer): void {
  out.list(items, ', ', (item) => {
    writeExpression(item.expression, out);
    out.put(item.direction === 'desc' ? ' DESC' : ' ASC');
  });
}

function writeParenthesised(write: () => void, out: Writer): void {
  out.put('(');
  write();
  out.put(')');
}

function writePredicate(predicate: Predicate, out: Writer): void {
  if (predicate.kind === 'and' || predicate.kind === 'or') {
    out.list(predicate.parts, predicate.kind === 'and' ? ' AND ' : ' OR ', (part) => {
      if (part.kind === 'and' || part.kind === 'or') writeParenthesised(() => writePredicate(part, out), out);
      else writePredicate(part, out);
    });
    return;
  }
  out.under(predicate.cause, () => writeCondition(predicate, out));
}

function writeCondition(predicate: Exclude<Predicate, { kind: 'and' | 'or' }>, out: Writer): void {
  switch (predicate.kind) {
    case 'raw':
      return out.put(predicate.sql);
    case 'compare':
      writeExpression(predicate.left, out);
      out.put(` ${predicate.operator} `);
      return writeExpression(predicate.right, out);
    case 'between':
      writeExpression(predicate.value, out);
      out.put(' BETWEEN ');
      writeExpression(predicate.low, out);
      out.put(' AND ');
      return writeExpression(predicate.high, out);
    case 'like':
      writeExpression(predicate.value, out);
      out.put(
        `${predicate.negated ? ' NOT ' : ' '}${out.dialect.like} ${quoteText(predicate.pattern, out.dialect.name)}`,
      );
      return out.put(predicate.pattern.includes('\\') ? ` ESCAPE ${quoteText('\\', out.dialect.name)}` : '');
    case 'null':
      writeExpression(predicate.value, out);
      return out.put(predicate.negated ? ' IS NOT NULL' : ' IS NULL');
    case 'in':
      writeExpression(predicate.value, out);
      out.put(predicate.negated ? ' NOT IN ' : ' IN ');
      return writeParenthesised(
        () => out.list(predicate.values, ', ', (value) => writeExpression(value, out)),
        out,
      );
    case 'in-query':
      writeExpression(predicate.value, out);
      out.put(predicate.negated ? ' NOT IN ' : ' IN ');
      return writeParenthesised(() => writeQuery(predicate.query, out), out);
  }
}

function writeExpression(expression: Expression, out: Writer): void {
  if (expression.kind === 'star') return out.put('*');
  if (expression.kind === 'subquery') return writeParenthesised(() => writeQuery(expression.query, out), out);
  out.under(expression.cause, () => writeCaused(expression, out));
}

function writeCaused(expression: Exclude<Expression, { kind: 'star' | 'subquery' }>, out: Writer): void {
  switch (expression.kind) {
    case 'column':
      return out.put(
        `${writeName(expression.table, out.dialect.name)}.${writeName(expression.column, out.dialect.name)}`,
      );
    case 'literal':
      return out.put(literalText(expression.value, out.dialect));
    case 'date':
      return out.put(out.dialect.dateLiteral.replace('{0}', expression.value));
    case 'raw':
      return out.put(expression.sql);
    case 'aggregate':
      out.put(`${expression.function.toUpperCase()}(${expression.distinct ? 'DISTINCT ' : ''}`);
      writeExpression(expression.argument, out);
      return out.put(')');
    case 'date-part':
      return fill(out.dialect.datePart[expression.part], [expression.argument], out);
    case 'days-between':
      return fill(out.dialect.daysBetween, [expression.from, expression.until], out);
    case 'from-epoch': {
      const seconds = expression.perSecond === 1 ? '{0}' : `{0} / ${expression.perSecond}.0`;
      return fill(out.dialect.fromEpoch.replace('{0}', seconds), [expression.argument], out);
    }
    case 'arithmetic':
      return writeArithmetic(expression, out);
    case 'case':
      return writeCase(expression, out);
    case 'window':
      return writeWindow(expression, out);
  }
}

function writeArithmetic(expression: Extract<Expression, { kind: 'arithmetic' }>, out: Writer): void {
  if (expression.operator === '/') return fill(out.dialect.divide, [expression.left, expression.right], out);
  for (const [side, text] of [
    [expression.left, ` ${expression.operator} `],
    [expression.right, ''],
  ] as const) {
    if (side.kind === 'arithmetic') writeParenthesised(() => writeExpression(side, out), out);
    else writeExpression(side, out);
    out.put(text);
  }
}

function writeCase(expression: Extract<Expression, { kind: 'case' }>, out: Writer): void {
  out.put('CASE WHEN ');
  writePredicate(expression.when, out);
  out.put(' THEN ');
  writeExpression(expression.value, out);
  if (expression.otherwise !== undefined) {
    out.put(' ELSE ');
    writeExpression(expression.otherwise, out);
  }
  out.put(' END');
}

function writeWindow(expression: Extract<Expression, { kind: 'window' }>, out: Writer): void {
  out.put(`${expression.function.toUpperCase()}(`);
  if (expression.argument !== undefined) writeExpression(expression.argument, out);
  out.put(') OVER (');
  if (expression.partitionBy.length > 0) {
    out.put('PARTITION BY ');
    out.list(expression.partitionBy, ', ', (item) => writeExpression(item, out));
  }
  if (expression.orderBy.length > 0) {
    out.put(expression.partitionBy.length > 0 ? ' ORDER BY ' : 'ORDER BY ');
    writeOrderItems(expression.orderBy, out);
  }
  out.put(')');
}

/** Writes a template of the dialect, `{0}` and `{1}` standing for the operands. */
function fill(template: string, operands: readonly Expression[], out: Writer): void {
  for (const piece of template.split(/(\{\d\})/)) {
    const operand = /^\{\d\}$/.test(piece) ? operands[Number(piece[1])] : undefined;
    if (operand === undefined) out.put(piece);
    else if (operand.kind === 'arithmetic') writeParenthesised(() => writeExpression(operand, out), out);
    else writeExpression(operand, out);
  }
}

function literalText(value: string | number | boolean | null, dialect: Dialect): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(value) : quoteText(value, dialect.name);
}

/** The comparison that holds exactly where the given one does not (NULL aside). */
export const INVERSE_COMPARISON: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
