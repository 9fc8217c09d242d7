/** What to do about the errors that a fix leaves, one sentence or two: about the first that hides the others. */
import { writeName } from '../../sql/dialects/index.ts';
import type { Problem } from '../../validation/index.ts';
import { engineAdvice, type Told } from './engine-advice.ts';
import { type EngineVerdict, engineVerdict, wordsOfEngine } from './engine-verdict.ts';

type Advice = (problem: Problem, told: Told) => string;

/** Undefined where no error is left. */
export function fixAdvice(
  left: readonly Problem[],
  engine: EngineVerdict | undefined,
  { offers = 0, ...told }: Told & { readonly offers?: number },
): string | undefined {
  const errors = left.filter(({ severity }) => severity === 'error');
  // What the engine has against it no other wording may mend, so it is said whatever else is left.
  if (engine !== undefined && errors.some(({ kind }) => kind === 'engine')) return engine.next;
  if (offers > 0 && errors.length > 0) return offers === 1 ? ONE_OFFER : MORE_OFFERS;
  const first = errors.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))[0];
  return first && ADVICE[first.kind](first, told);
}

const MORE_OFFERS =
  'Rules cannot tell which of the possibilities is meant: take one of them, or say in words what the query is to answer.';
const ONE_OFFER =
  'Rules cannot tell whether this possibility is what is meant: take it, or say in words what the query is to answer.';

/** What hides other errors comes before them. */
const ORDER: readonly Problem['kind'][] = [
  'not-read-only',
  'system-table',
  'parse',
  'unknown-table',
  'unknown-column',
  'ambiguous-column',
  'unquoted-name',
  'missing-on',
  'missing-group-by',
  'misplaced-call',
  'subquery-rows',
  'refused',
];

const ADVICE: Readonly<Record<Problem['kind'], Advice>> = {
  'not-read-only': guardAdvice,
  'system-table': () => 'Name a table of your own: `candor search` finds them.',
  parse: (_, { schema }) =>
    `Correct the text at that place. A name that is also a word of SQL stands in quotes: ${writeName('order', schema.catalog.dialect)}. If another engine took the query, say which by opening its database.`,
  'unknown-table': ({ instead, text }, told) =>
    text.includes(' goes by ')
      ? engineAdvice({ kind: 'missing-source', message: text, instead: [] }, told)
      : `${instead.length === 0 ? 'Find' : `Take one of ${instead.join(', ')}, or find`} the table with \`candor search\`; run \`candor onboard\` again if it is new.`,
  'unknown-column': ({ instead, text }) =>
    `${instead.length === 0 ? '' : `${instead.join(' or ')} may be meant. `}${text.includes('not read here') ? 'Join the table that has it, by the columns that you know to belong together. ' : ''}\`candor search\` finds columns by what they hold; run \`candor onboard\` again if it is new.`,
  'ambiguous-column': ({ instead }) =>
    `Write the table before it${instead.length === 0 ? ', with a dot' : `: ${instead.join(' or ')}`}.`,
  'unquoted-name': ({ instead }) =>
    `Write the name in quotes, letter by letter: ${instead.map((name) => `"${name}"`).join(', ')}.`,
  'missing-on': () =>
    'Write ON and the columns that belong together behind the table; CROSS JOIN where every row is to go with every row.',
  'missing-group-by': () =>
    'Add it to GROUP BY, aggregate it with MIN(…) or MAX(…), or leave it out; in the place of * name the columns.',
  'misplaced-call': () =>
    'A condition on an aggregate belongs in HAVING, behind GROUP BY, or in a subquery that computes it first.',
  'subquery-rows': () =>
    'Say which of the rows is meant: IN (SELECT …) for any of them, MIN(…) or MAX(…) for one figure, ORDER BY … LIMIT 1 for the first, or a condition in the subquery that leaves one.',
  refused: refusalAdvice,
  engine: ({ text }, told) => engineVerdict(text, told).next,
  'type-clash': correct,
  'unseen-literal': correct,
  'fan-out': correct,
  'wrong-join': correct,
  'like-without-wildcard': correct,
  'not-in-null': correct,
  definition: correct,
};

/** Not every refusal of the guard is one of a write. */
function guardAdvice({ text }: Problem, told: Told): string {
  const error = { message: text, instead: [] };
  if (/ begins with | writes | changes /.test(text)) return engineAdvice({ kind: 'write', ...error }, told);
  if (text.includes('a parameter')) return engineAdvice({ kind: 'parameter', ...error }, told);
  return 'Only what is known to read and to compute is run: write it without that part, or with functions that only compute.';
}

/** The engine that is open here says it itself, so the query is not valid there. */
function refusalAdvice({ text }: Problem, told: Told): string {
  const { kind, next } = engineVerdict(wordsOfEngine(text), told);
  return kind === 'unknown' || kind === 'syntax'
    ? 'The engine that is open here refuses it: correct what it names.'
    : next;
}

/** Only warnings are of these kinds today. */
function correct(): string {
  return 'Correct the part that is named.';
}
