/** What an engine said against a query, read by rules: of which kind it is, what it names, what it wants instead. */
import { onOneLine } from '../text/index.ts';

export type EngineErrorKind =
  | 'access-denied'
  | 'missing-table'
  | 'missing-column'
  | 'missing-function'
  | 'division-by-zero'
  | 'timeout'
  | 'resources'
  | 'type'
  | 'syntax'
  | 'unknown';

export interface EngineError {
  readonly kind: EngineErrorKind;
  /** In its own words, on one line and not at any length. */
  readonly message: string;
  /** The table, column or function that it names. */
  readonly name?: string;
  /** The right that it names: `bigquery.tables.getData`. */
  readonly right?: string;
  /** What it offers in place of a name. */
  readonly instead: readonly string[];
  /** Advice of its own. */
  readonly hint?: string;
}

/** Beyond this no engine says anything new, and the text is anybody's. */
const MOST_READ = 4_000;
const MOST_SHOWN = 400;

/**
 * `readEngineError('no such function: YEAR')` → `{ kind: 'missing-function', name: 'YEAR', … }`. A message that no rule
 * knows is `unknown`: it is told as it is.
 */
export function readEngineError(text: string): EngineError {
  const message = text.slice(0, MOST_READ).trim();
  const kind = KINDS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'unknown';
  const error: EngineError = { kind, message: shortened(onOneLine(message)), instead: offered(message) };
  const name = NAMES[kind]?.map((pattern) => pattern.exec(message)?.[1]).find((found) => found);
  const right = kind === 'access-denied' ? RIGHT.exec(message)?.[0] : undefined;
  const hint = HINT.exec(message)?.[1];
  return {
    ...error,
    name: name?.replace(/["'`[\]]|[.:]+$/g, ''),
    right,
    hint: hint === undefined ? undefined : shortened(onOneLine(hint)),
  };
}

/**
 * The first that fits counts. What says that an object "does not exist or is not authorized" is a missing one: which of
 * the two it is, the engine keeps to itself.
 */
const KINDS: readonly (readonly [EngineErrorKind, RegExp])[] = [
  [
    'missing-function',
    /no such function|\bfunction\b[^\n]{0,200}(?:does not exist|not found|not registered)|unknown (?:user-defined )?functions?\b|function not found|(?:error|code|state)\W{1,3}(?:42883|1305)\b/i,
  ],
  [
    'missing-column',
    /no such column|column\b[^\n]{0,200}(?:does not exist|not found|cannot be resolved)|unknown column|unrecognized name|invalid (?:identifier|column name)|name \S{1,200} not found inside|(?:error|code|state)\W{1,3}(?:42703|1054)\b/i,
  ],
  [
    'missing-table',
    /no such (?:table|view)|(?:table|relation|view|object|schema|dataset|database)\b[^\n]{0,300}(?:does ?n[o']t exist|does not exist|was not found|not found)|not found: (?:table|dataset|view)|invalid object name|unknown (?:table|database)|(?:error|code|state)\W{1,3}(?:42P01|1146)\b/i,
  ],
  [
    'access-denied',
    /access (?:is )?denied|permission[^\n]{0,80}(?:denied|required)|(?:permission|privilege)s? denied|insufficient privileges?|not authori[sz]ed|unauthori[sz]ed|does not have (?:the )?[\w. ]{0,80}(?:permission|privilege|access)|command denied|cannot select from|(?:error|code|state)\W{1,3}(?:42501|1142|1143)\b/i,
  ],
  ['division-by-zero', /division by zero|divide by zero|(?:error|code|state)\W{1,3}(?:22012|1365)\b/i],
  [
    'timeout',
    /time[- ]?out|timed out|time limit|execution time (?:was )?exceeded|canceling statement|query (?:was )?(?:cancelled|canceled|interrupted)|(?:error|code|state)\W{1,3}(?:57014|3024)\b/i,
  ],
  [
    'resources',
    /out of memory|memory limit|resources? exceeded|exceeded[^\n]{0,60}(?:memory|limit|quota)|quota exceeded|disk (?:is )?full|no space left|too many (?:rows|connections|concurrent)|bytes billed|(?:error|code|state)\W{1,3}(?:53[012]00)\b/i,
  ],
  [
    'type',
    /type mismatch|operator does not exist|no matching signature|cannot (?:be )?(?:cast|convert|compare|coerce)|could not convert|conversion (?:failed|error)|invalid input syntax for|incompatible types|datatype mismatch|expects? (?:an? )?\w+ (?:type|argument)|cannot apply operator|numeric value[^\n]{0,80}is not recognized|incorrect \w+ value|(?:error|code|state)\W{1,3}(?:42804|22P02)\b/i,
  ],
  [
    'syntax',
    /syntax error|error in your sql syntax|parse(?:r)? error|mismatched input|unexpected (?:token|end|keyword|identifier)|incomplete input|sql compilation error|(?:error|code|state)\W{1,3}(?:42601|1064)\b/i,
  ],
];

const QUOTED = '["\'`\\[]?([\\w$.:-]{1,200})["\'`\\]]?';
const like = (source: string): RegExp => new RegExp(source.replace('NAME', QUOTED), 'i');

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
    like('column NAME (?:does|was|not|cannot)'),
  ],
  'missing-function': [
    like('no such function: ?NAME'),
    like('function not found: ?NAME'),
    like('unknown (?:user-defined )?functions? NAME'),
    like('function (?:with name )?NAME ?(?:\\([^)]{0,300}\\) )?(?:does|not)'),
  ],
};

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
  if (name === undefined) return OUTSIDE.has(kind);
  const last = name.split(/[.:]/).at(-1) ?? name;
  const escaped = last.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'i').test(changed);
}
