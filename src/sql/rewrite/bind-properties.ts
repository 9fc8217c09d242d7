/** Named values of a session in the SQL of a policy: `tenant_id = :tenant`. */
import type { DialectName } from '../dialects/dialect.ts';
import { lexSql, significantTokens, type Token } from '../dialects/lex-sql.ts';
import { quoteText } from '../dialects/quoting.ts';
import type { Span } from '../dialects/span.ts';
import { patchText } from './rewrite-result.ts';

/** What is known of a caller; a list stands for its members, as in `region IN (:regions)`. */
type PropertyValue = PropertyScalar | readonly PropertyScalar[];
type PropertyScalar = string | number | bigint | boolean;
export type SessionProperties = Readonly<Record<string, PropertyValue>>;

export type Bound =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

interface NamedPlace {
  readonly name: string;
  readonly span: Span;
  /** Behind `=` or first in the list of IN: the other side decides what is compared. */
  readonly isCompared: boolean;
}

/**
 * Where `tenant = 7` turns each text of the column into a number: to MySQL `'acme' = 0` holds, and DuckDB quotes the
 * text in an error. A text is read as what the other side is.
 */
const READS_TEXT_AS_NUMBER: ReadonlySet<DialectName> = new Set(['mysql', 'duckdb']);

/**
 * Puts each property as a literal of the dialect in its place: `tenant = :tenant` with `O'Hara` → `tenant = 'O''Hara'`.
 * A property that is missing, or a value that has no literal, is a reason to refuse, never an empty text.
 */
export function bindProperties(text: string, properties: SessionProperties, dialect: DialectName): Bound {
  const patches: { span: Span; text: string }[] = [];
  for (const { name, span, isCompared } of findProperties(text, dialect)) {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === undefined) return { ok: false, reason: `the session has no property ${name}` };
    const asTexts = isCompared && READS_TEXT_AS_NUMBER.has(dialect);
    const literal = literalOf(asTexts ? numbersAsTexts(value) : value, dialect);
    if (literal === undefined) return { ok: false, reason: `the property ${name} cannot be written in SQL` };
    patches.push({ span, text: literal });
  }
  return { ok: true, text: patchText(text, patches) };
}

/** The text with a number in each place of a property: what can be checked before any session has values. */
export function bindSamples(text: string, dialect: DialectName): string {
  return patchText(
    text,
    findProperties(text, dialect).map(({ span }) => ({ span, text: '(0)' })),
  );
}

/** A colon right before a word and behind no value: `a[1:n]`, `doc:field` and `a::text` are something else. */
function findProperties(text: string, dialect: DialectName): readonly NamedPlace[] {
  const tokens = lexSql(text, dialect);
  return tokens.flatMap((token, index): NamedPlace[] => {
    if (token.kind === 'parameter' && /^:\w+$/.test(token.text)) {
      const span = { start: token.start, end: token.end };
      return [{ name: token.text.slice(1), span, isCompared: isCompared(tokens, index) }];
    }
    const next = tokens[index + 1];
    const isProperty = token.text === ':' && next?.kind === 'word' && !isValue(tokens[index - 1]);
    if (!isProperty) return [];
    const span = { start: token.start, end: next.end };
    return [{ name: next.text, span, isCompared: isCompared(tokens, index) }];
  });
}

function isCompared(tokens: readonly Token[], index: number): boolean {
  const [last = '', before = ''] = significantTokens(tokens.slice(0, index))
    .slice(-2)
    .reverse()
    .map(({ text }) => text.toLowerCase());
  return ['=', '<>', '!=', '<=>'].includes(last) || (last === '(' && before === 'in');
}

function numbersAsTexts(value: PropertyValue): PropertyValue {
  const asText = (member: PropertyScalar): PropertyScalar =>
    Number.isSafeInteger(member) ? String(member) : member;
  return Array.isArray(value) ? value.map(asText) : asText(value as PropertyScalar);
}

function isValue(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'comment') return false;
  return token.kind === 'operator' ? /[)\]}]$/.test(token.text) : token.text.trim() !== '';
}

/** A list is written as its members; without any it is NULL, which nothing equals, so that no row is shown. */
function literalOf(value: PropertyValue, dialect: DialectName): string | undefined {
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = members.map((member) => scalarText(member, dialect));
  return texts.includes(undefined) ? undefined : texts.join(', ') || 'NULL';
}

function scalarText(value: unknown, dialect: DialectName): string | undefined {
  switch (typeof value) {
    case 'string':
      // Engines end a text at NUL; half a surrogate pair would reach them as another character.
      return /[\0\p{Surrogate}]/u.test(value) ? undefined : quoteText(value, dialect);
    case 'number':
      // In brackets: two signs in a row would begin a comment.
      return Number.isFinite(value) ? `(${value})` : undefined;
    case 'bigint':
      return `(${value})`;
    case 'boolean':
      return value ? 'TRUE' : 'FALSE';
    default:
      return undefined;
  }
}
