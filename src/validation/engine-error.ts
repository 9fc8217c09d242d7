/** What an engine said against a query, read by rules: of which kind it is, what it names, what it wants instead. */
import { onOneLine } from '../lib/index.ts';
import { type EngineErrorKind, KIND_PATTERNS } from './engine-error-kinds.ts';

export interface EngineError {
  readonly kind: EngineErrorKind;
  /** In its own words, on one line and not at any length. */
  readonly message: string;
  /** The table, column or function that it names. */
  readonly name?: string;
  /** The value that is none of the type it was to be: `n/a`. */
  readonly value?: string;
  /** That type, as the engine calls it. */
  readonly target?: string;
  /** The right that it names: `bigquery.tables.getData`. */
  readonly right?: string;
  /** What it offers in place of a name. */
  readonly instead: readonly string[];
  /** Advice of its own. */
  readonly hint?: string;
}

/** The line of the query that an engine repeats below its message, with a mark under the place: no words of its own. */
const ECHO = /^[ \t]*LINE \d{1,6}:[^\n]*(?:\n[ \t]*\^[ \t]*$)?/gm;
/** Beyond this no engine says anything new, and the text is anybody's. */
const MOST_READ = 4_000;
const MOST_SHOWN = 400;

/**
 * `readEngineError('no such function: YEAR')` → `{ kind: 'missing-function', name: 'YEAR', … }`. A message that no rule
 * knows is `unknown`: it is told as it is.
 */
export function readEngineError(text: string): EngineError {
  const message = text.slice(0, MOST_READ).replace(ECHO, '').trim();
  const kind = KIND_PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'unknown';
  const error: EngineError = { kind, message: shortened(onOneLine(message)), instead: offered(message) };
  const name = firstOf(NAMES[kind] ?? [], message);
  const right = kind === 'access-denied' ? RIGHT.exec(message)?.[0] : undefined;
  const hint = HINT.exec(message)?.[1];
  const value = kind === 'conversion' ? firstOf(VALUES, message) : undefined;
  const target = kind === 'conversion' ? firstOf(TARGETS, message) : undefined;
  return {
    ...error,
    name: name?.replace(/["'`[\]]|[.:]+$/g, ''),
    right,
    hint: hint === undefined ? undefined : shortened(onOneLine(hint)),
    value: value === undefined ? undefined : onOneLine(value),
    target,
  };
}

const PART = '[\\p{L}\\p{N}_$.:-]{1,200}';
/** `orders`, `"orders"`, `shop.orders`, `` `shop`.`orders` ``. */
const QUOTED = `["'\`\\[]?(${PART}(?:["'\`\\]]\\.["'\`\\[]${PART}){0,3})["'\`\\]]?`;
const like = (source: string): RegExp => new RegExp(source.replace('NAME', QUOTED), 'iu');

function firstOf(patterns: readonly RegExp[], message: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(message)?.[1]).find((found) => found);
}

const NAMES: Partial<Record<EngineErrorKind, readonly RegExp[]>> = {
  'access-denied': [
    like(
      'permission (?:was )?denied (?:for|on|to) (?:(?:table|relation|view|materialized view|schema|database|sequence|the object|object) )+NAME',
    ),
    like('access denied: (?:\\w+: )?(?:table|view|dataset|project) NAME'),
    like('denied to user [^\\n]{1,200} for (?:table|view) NAME'),
    like('cannot select from (?:columns? \\[[^\\]]{0,200}\\] in )?(?:table or view|table|view) NAME'),
    like('privileges? to operate on (?:[\\w ]{1,30}) NAME'),
    like('(?:access|select|read)[^\\n]{0,40} (?:on|to) (?:table|view|object) NAME'),
  ],
  'missing-table': [
    like('no such (?:table|view): ?NAME'),
    like('not found: (?:table|dataset|view) NAME'),
    like('invalid object name NAME'),
    like('unknown (?:table|database) NAME'),
    like(
      '(?:table|relation|view|object|schema|dataset|database) (?:with name )?NAME (?:does|was|not|cannot)',
    ),
  ],
  'missing-column': [
    like('no such column: ?NAME'),
    like('unknown column NAME'),
    like('unrecognized name: ?NAME'),
    like('invalid (?:identifier|column name) NAME'),
    like('\\bname NAME not found inside'),
    like('column named NAME'),
    like('using column NAME'),
    like('column NAME (?:does|was|not|cannot|specified)'),
  ],
  conversion: [like('source column NAME'), like('for column NAME')],
  'missing-source': [like('entry for table NAME'), like('referenced table NAME')],
  'ambiguous-column': [
    like('ambiguous column name: ?NAME'),
    like('column (?:reference|name) NAME'),
    like('column NAME[^\\n]{0,60} is ambiguous'),
    like('reference to (?:column name )?NAME'),
  ],
  'group-by': [
    like('column NAME (?:must|which)'),
    like('nonaggregated column NAME'),
    like('NAME must be an aggregate'),
    like('NAME isn.t in'),
    like('NAME is not a valid group'),
  ],
  'duplicate-name': [
    like('(?:table|query) name NAME'),
    like('alias:? NAME'),
    like('duplicate (?:cte|query|column|with table) name:? NAME'),
  ],
  arguments: [
    like('to function NAME'),
    like('native function NAME'),
    like('argument types NAME\\('),
    like('function NAME\\('),
  ],
  write: [
    like('must be owner of (?:\\w+ ){0,2}NAME'),
    like('command denied to user [^\\n]{1,200} for table NAME'),
    like('cannot (?:insert into|delete from|update|drop|create|alter|truncate) (?:table|view) NAME'),
  ],
  'missing-function': [
    like('no such function: ?NAME'),
    like('function not found: ?NAME'),
    like('unknown (?:user-defined )?functions? NAME'),
    like('function (?:with name )?NAME ?(?:\\([^)]{0,300}\\) )?(?:does|not)'),
  ],
};

const VALUE = String.raw`["']([^"'\n]{1,80})["']`;
/** The value stands behind the words that say what is wrong with it, or before them. */
const VALUES: readonly RegExp[] = [
  new RegExp(`(?:invalid input syntax for|out of range|field format)[^"'\\n]{0,60}${VALUE}`, 'i'),
  new RegExp(`(?:string|cast|value|date|timestamp|input|literal)(?: value)?:? *${VALUE}`, 'i'),
  /(?:cast to \w+|bad \w+ value): ([^\n]{1,80})/i,
];
const TARGETS: readonly RegExp[] = [
  /\bfor type ([a-z]+(?: [a-z]+)?)/i,
  /\b(?:to|as) (?:type )?["']?([A-Z][A-Z0-9_]+)\b/,
  /\bcast to (\w+)/i,
  /\b(?:incorrect|bad) (\w+) value/i,
  /\b(date|time|timestamp|json|numeric|boolean)\b/i,
];

/** The name of a right as warehouses spell it. */
const RIGHT =
  /\bbigquery\.\w+\.\w+|\b(?:SELECT|USAGE|REFERENCES|MONITOR)\b(?= (?:privilege|permission|command))/;
const HINT = /\bHINT:?\s+([^\n]{1,600})/;
const OFFERED = [
  /did you mean:? ["'`]?([\w.$]{1,200})/gi,
  /(?:candidate|similar)[^:\n]{0,60}:\s*["'`]([\w.$]{1,200})["'`]/gi,
];

function offered(message: string): readonly string[] {
  const found = OFFERED.flatMap((pattern) => [...message.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].slice(0, 5);
}

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}

/** Rights, time and room are not in the text of a query: a change of it that keeps what is named helps nothing. */
const OUTSIDE: ReadonlySet<EngineErrorKind> = new Set(['access-denied']);

/**
 * Whether a changed query would meet the same error, as far as its text tells: it names what the engine does not have or
 * does not show. Of an error that names nothing a changed query is given a chance, but for rights.
 */
export function stillMeets({ kind, name }: EngineError, changed: string): boolean {
  return name === undefined ? OUTSIDE.has(kind) : textNames(changed, lastPart(name));
}

/** `shop.orders` → `orders`. */
export function lastPart(name: string): string {
  return name.split(/[.:]/).at(-1) ?? name;
}

/** Whether a name stands in a text as a word of its own, in any case. */
export function textNames(text: string, name: string): boolean {
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'iu').test(text);
}
