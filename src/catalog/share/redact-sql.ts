/** SQL and questions without the values in them, as private mode shows verified pairs and logged statements. */

import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { Token } from '../../sql/dialects/index.ts';
import { lexSql } from '../../sql/index.ts';

/** Numbers that make queries, not answers: `x * 100.0 / y`, `count(*) > 0`. */
const STRUCTURAL = /^(?:0|1|100)(?:\.0*)?$/;
const AFTER_LIMIT = /^(?:limit|offset|top|first|next)$/i;
const DAY_OR_TIME = /^\d{4}-\d{2}(?:-\d{2})?(?:[ T]\d{2}:\d{2}.*)?$/;
/** `%Y-%m`: says how a date is written, and stands in no cell. */
const DATE_FORMAT = /^(?:%[A-Za-z]|[-/: .T])+$/;

export interface ValueFree {
  readonly sql: string;
  /** The texts that were taken out, as they stood between their quotes, and the numbers. */
  readonly literals: readonly string[];
}

export interface RedactSqlOptions {
  /** Absent: what stands in the quotes of names is one. */
  readonly isName?: (name: string) => boolean;
  /** Literals that the reader knows already. */
  readonly keeps?: (literal: string) => boolean;
}

/**
 * `WHERE city = 'Berlin' AND age > 42` → `WHERE city = :text AND age > :number`. Comments go; what the dialect may read
 * as a text in double quotes stays only where `isName` knows it.
 */
export function redactSql(
  sql: string,
  dialect: DialectName,
  { isName = () => true, keeps = () => false }: RedactSqlOptions = {},
): ValueFree {
  const literals: string[] = [];
  let before = '';
  const texts = lexSql(sql, dialect).map((token) => {
    const text =
      token.kind !== 'comment' && keeps(bare(token.text))
        ? token.text
        : shownToken(token, { before, isName });
    if (text !== token.text && token.kind !== 'comment') literals.push(bare(token.text));
    if (token.kind !== 'space' && token.kind !== 'comment') before = token.text;
    return text;
  });
  return { sql: texts.join('').trim(), literals };
}

interface Around {
  /** The significant token before. */
  readonly before: string;
  readonly isName: (name: string) => boolean;
}

function shownToken({ kind, text }: Token, { before, isName }: Around): string {
  switch (kind) {
    case 'comment':
      return ' ';
    case 'number':
      return STRUCTURAL.test(text) || AFTER_LIMIT.test(before) ? text : ':number';
    case 'text': {
      const content = bare(text);
      if (DATE_FORMAT.test(content) || content === '') return text;
      return DAY_OR_TIME.test(content) ? ':date' : ':text';
    }
    case 'quoted-name':
      return isName(bare(text)) ? text : ':text';
    case 'broken':
      return ':text';
    default:
      return text;
  }
}

/** Without its quotes and prefix; doubled quotes inside become single ones. */
function bare(text: string): string {
  const content = /^[A-Za-z&]*(?:\$\w*\$|['"`[])([\s\S]*?)(?:\$\w*\$|['"`\]])$/.exec(text)?.[1] ?? text;
  return content.replace(/(['"`])\1/g, '$1');
}

/** A question whose query had these literals, without them: `sales in Berlin` → `sales in …`. */
export function withoutLiterals(text: string, literals: readonly string[]): string {
  const parts = literals
    .flatMap((literal) => [literal, ...literal.split('%')])
    .map((literal) => literal.trim())
    .filter((literal) => literal.length > 1 || /\p{N}/u.test(literal))
    .toSorted((a, b) => b.length - a.length)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const quoted = text.replace(/“[^”]*”|"[^"]*"|‘[^’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, '…');
  return parts.length === 0 ? quoted : quoted.replace(new RegExp(parts.join('|'), 'giu'), '…');
}
