/** Lays SQL out over lines for people. Only white space changes, never a token; the engine gets the original. */
import type { DialectName } from '../dialects/dialect.ts';
import { lexSql, type Token } from '../dialects/lex-sql.ts';
import type { Span } from '../dialects/span.ts';

export interface FormattedSql {
  readonly text: string;
  /** Where a span of the original text stands in the laid-out one. */
  moveSpan(span: Span): Span;
}

/** One clause a line, conditions below each other, subqueries indented. */
export function formatSql(sql: string, dialect: DialectName): FormattedSql {
  const layout = new Layout();
  const tokens = lexSql(sql, dialect);
  const visible = tokens.filter((token) => token.kind !== 'space');
  let previous: Token | undefined;
  for (const [index, token] of visible.entries()) {
    layout.add(token, previous, visible.slice(index + 1, index + 3));
    previous = token;
  }
  const moves = layout.moves;
  return { text: layout.text, moveSpan: (span) => moveSpan(span, moves) };
}

interface Move {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
}

/** Begin a line of their own, unless they go on with the clause before them (LEFT JOIN, GROUP BY). */
const CLAUSES = new Set(
  `select from where group having order limit offset union except intersect with values window qualify returning
  join left right full inner cross natural asof semi anti`.split(/\s+/),
);
const JOIN_WORDS = new Set('left right full inner outer cross natural asof semi anti join'.split(' '));
const WIDTH = 92;

/** A bracket, or the whole statement: only those that hold a query break into lines. */
interface Level {
  readonly hasQuery: boolean;
  readonly indent: number;
  /** Inside WHERE, HAVING or ON, where AND and OR begin lines. */
  isCondition: boolean;
  /** BETWEEN waits for its AND. */
  betweens: number;
  cases: number;
}

/** Builds the text token by token; lives for one call of `formatSql`. */
class Layout {
  text = '';
  readonly moves: Move[] = [];
  readonly #levels: Level[] = [createLevel(true, 0)];
  #lineStart = 0;

  add(token: Token, previous: Token | undefined, next: readonly Token[]): void {
    const closed = token.text === ')' && this.#levels.length > 1 ? this.#levels.pop() : undefined;
    const indent = closed?.hasQuery ? closed.indent - 2 : this.#breakBefore(token, previous, next);
    if (previous === undefined) this.text = '';
    else if (indent !== undefined) this.#startLine(indent);
    else if (token.start > previous.end) this.text += ' ';
    this.moves.push({ oldStart: token.start, oldEnd: token.end, newStart: this.text.length });
    this.text += token.text;
    this.#follow(token, next);
  }

  /** The indent of the line that the token begins; `undefined` when it stays on the line. */
  #breakBefore(token: Token, previous: Token | undefined, next: readonly Token[]): number | undefined {
    const level = this.#top();
    const word = wordOf(token);
    if (previous?.kind === 'comment' && previous.text.startsWith('--')) return level.indent;
    if (!level.hasQuery || level.cases > 0) return undefined;
    if (this.#opensQuery(previous)) return level.indent;
    const isCall = next[0]?.text === '(' && (word === 'left' || word === 'right');
    if (CLAUSES.has(word) && !isCall && !continuesClause(word, previous)) return level.indent;
    if ((word === 'and' || word === 'or') && level.isCondition && level.betweens === 0)
      return level.indent + 2;
    const isFull = this.text.length + token.text.length - this.#lineStart > WIDTH;
    return isFull && previous?.text === ',' ? level.indent + 4 : undefined;
  }

  #opensQuery(previous: Token | undefined): boolean {
    return previous?.text === '(' && this.#levels.length > 1;
  }

  #startLine(indent: number): void {
    this.text += '\n';
    this.#lineStart = this.text.length;
    this.text += ' '.repeat(indent);
  }

  #follow(token: Token, next: readonly Token[]): void {
    const level = this.#top();
    const word = wordOf(token);
    if (token.kind === 'operator' && token.text === '(') {
      const hasQuery = level.hasQuery && ['select', 'with', 'values'].includes(firstWord(next));
      this.#levels.push(createLevel(hasQuery, level.indent + (level.isCondition ? 4 : 2)));
    }
    if (word === 'case') level.cases += 1;
    if (word === 'end' && level.cases > 0) level.cases -= 1;
    if (word === 'between') level.betweens += 1;
    if (word === 'and' && level.betweens > 0) level.betweens -= 1;
    if (['where', 'having', 'on', 'qualify'].includes(word)) level.isCondition = true;
    else if (CLAUSES.has(word)) level.isCondition = false;
  }

  #top(): Level {
    return this.#levels.at(-1) ?? createLevel(true, 0);
  }
}

function createLevel(hasQuery: boolean, indent: number): Level {
  return { hasQuery, indent, isCondition: false, betweens: 0, cases: 0 };
}

function wordOf(token: Token | undefined): string {
  return token?.kind === 'word' ? token.text.toLowerCase() : '';
}

function firstWord(tokens: readonly Token[]): string {
  return wordOf(tokens.find((token) => token.kind !== 'comment'));
}

/** `LEFT JOIN` is one start; the `order` of `t.order` and of `AS order` is a name. */
function continuesClause(word: string, previous: Token | undefined): boolean {
  if (previous?.text === '.' || wordOf(previous) === 'as') return true;
  return JOIN_WORDS.has(word) && JOIN_WORDS.has(wordOf(previous));
}

/** Ends inside white space snap to the tokens next to them, so a highlight never grows over a line break. */
function moveSpan(span: Span, moves: readonly Move[]): Span {
  const first = moves.find((move) => move.oldEnd > span.start);
  const last = moves.findLast((move) => move.oldStart < span.end);
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  const start = first.newStart + Math.max(0, span.start - first.oldStart);
  const end = last.newStart + Math.min(last.oldEnd, span.end) - last.oldStart;
  return { start, end: Math.max(start, end) };
}
