import { REVISIONS } from '../query/revise/revise.ts';
import { unexplainedWords } from '../question/mention/unexplained-words.ts';
import type { Asked } from './asked.ts';
import type { Candidate, ReadQuestion } from './candidate.ts';
import { NAME_FEATURES, nameFeatures } from './name-features.ts';
import { SHAPE_PARTS } from './query-traits.ts';
import { mentionRole } from './question-features.ts';
import { readingProbability } from './reading-probability.ts';

const VARIANTS = 6;
const KINDS = ['TABLE', 'COLUMN', 'VALUE', 'NUMBER', 'other'] as const;

/** Of a candidate beside the question, and of the question. */
const OWN = [
  'rules',
  'rank',
  'weight',
  ...Array.from({ length: VARIANTS }, (_, variant) => `variant ${variant}`),
  'revisions',
  ...REVISIONS.map(({ name }) => name),
  ...SHAPE_PARTS.flatMap((part) => [`${part}`, `${part} regret`]),
  'shape',
  'shape regret',
  'roles',
  'roles regret',
  'least role',
  'doubtful roles',
  ...KINDS.flatMap((kind) => [`${kind} roles`, `${kind} unused`]),
  ...NAME_FEATURES,
  'projections',
  'plain',
  'filters',
  'groups',
  'orders',
  'havings',
  'absences',
  'tables',
  'joins',
  'unnamed tables',
  'is distinct',
  'limit',
  'other limit',
  'distinct unasked',
  'distinct unheard',
  'slots dropped',
  'slots added',
  'absences dropped',
  'orders dropped',
  'groups dropped',
  'contexts left out',
] as const;

const ASKED = [
  'tokens',
  'mentions',
  'unexplained',
  'unknown',
  'dangling',
  'lost',
  'bounds',
  'best rules',
  'negations',
  'superlatives',
  'asks distinct',
  'asks overall',
  'comparisons',
  'groupings',
  'orderings',
] as const;

/** Those that are also seen beside the first candidate and the best of all. */
const COMPARED = [
  'rules',
  'shape',
  'roles',
  'names',
  'VALUE unused',
  'COLUMN unused',
  'tables',
  'invented',
] as const;

export const READING_FEATURES: readonly string[] = [
  ...OWN,
  ...ASKED,
  ...COMPARED.map((name) => `${name} beside first`),
  ...COMPARED.map((name) => `${name} beside best`),
];

const placeOf = new Map(READING_FEATURES.map((name, place) => [name, place]));

/** One row for each candidate, in the order of `READING_FEATURES`. */
export function readingFeatures(
  candidates: readonly Candidate[],
  question: ReadQuestion,
  asked: Asked,
): Float32Array[] {
  const common = askedFeatures(question);
  const rows = candidates.map((candidate) => {
    const row = new Float32Array(READING_FEATURES.length);
    const set = (name: string, value: number): void => {
      row[placeOf.get(name) ?? Number.NaN] = value;
    };
    ownFeatures(candidate, question, asked, set);
    for (const [name, value] of common) set(name, value);
    return row;
  });
  compare(rows);
  return rows;
}

type SetFeature = (name: string, value: number) => void;

function ownFeatures(candidate: Candidate, question: ReadQuestion, asked: Asked, set: SetFeature): void {
  const { draft, rank, weight, variant } = candidate;
  set('rules', rulesOpinion(candidate, question));
  set('rank', rank);
  set('weight', weight);
  if (variant < VARIANTS) set(`variant ${variant}`, 1);
  set('revisions', draft.revisions.length);
  for (const name of draft.revisions) set(name, 1);
  shapeFeatures(candidate, asked, set);
  roleFeatures(candidate, asked, set);
  nameFeatures(candidate, question, set);
  sizeFeatures(candidate, question, set);
  frameFeatures(candidate, question, set);
}

/** Probabilities of the rules are this far from 0 and 1. */
const LEAST = 1e-12;

function rulesOpinion(
  { draft: { bound }, weight, plan }: Candidate,
  { frame, mentions, context }: ReadQuestion,
): number {
  const unnamed = [...bound.tables].filter((table) => table !== bound.subject && !context.named.has(table));
  const extraTables = plan.tree.extra.length + unnamed.length;
  const probability = weight * readingProbability({ bound, frame, mentions, extraTables });
  // Hundreds of words without a meaning leave nothing of it, and differences of infinities are no numbers.
  const bounded = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(bounded / (1 - bounded));
}

function shapeFeatures({ traits }: Candidate, { shapes }: Asked, set: SetFeature): void {
  let sum = 0;
  let regret = 0;
  for (const part of SHAPE_PARTS) {
    const opinions = shapes[part];
    const own = opinions.of(traits.shape[part]);
    set(part, own);
    set(`${part} regret`, own - opinions.best);
    sum += own;
    regret += own - opinions.best;
  }
  set('shape', sum);
  set('shape regret', regret);
}

/** A role less likely than this is doubtful. */
const DOUBTFUL = Math.log(0.1);

function roleFeatures({ traits }: Candidate, { roles }: Asked, set: SetFeature): void {
  const byKind = new Map<string, { sum: number; unused: number }>();
  let sum = 0;
  let regret = 0;
  let least = 0;
  let doubtful = 0;
  for (const { mention, symbol, opinions } of roles) {
    const role = mentionRole(mention, traits);
    const own = opinions.of(role);
    sum += own;
    regret += own - opinions.best;
    least = Math.min(least, own);
    doubtful += own < DOUBTFUL ? 1 : 0;
    const kind = KINDS.find((each) => each === symbol) ?? 'other';
    const known = byKind.get(kind) ?? { sum: 0, unused: 0 };
    byKind.set(kind, { sum: known.sum + own, unused: known.unused + (role === 'none' ? 1 : 0) });
  }
  set('roles', sum);
  set('roles regret', regret);
  set('least role', least);
  set('doubtful roles', doubtful);
  for (const [kind, { sum: own, unused }] of byKind) {
    set(`${kind} roles`, own);
    set(`${kind} unused`, unused);
  }
}

function sizeFeatures(
  { draft: { bound, options }, plan }: Candidate,
  { context }: ReadQuestion,
  set: SetFeature,
): void {
  set('projections', bound.projections.length);
  set('plain', bound.projections.filter(({ aggregate }) => aggregate === undefined).length);
  set('filters', bound.filters.length);
  set('groups', bound.groups.length);
  set('orders', bound.orders.length);
  set('havings', bound.havings.length);
  set('absences', bound.absences.length);
  set('tables', bound.tables.size);
  set('joins', plan.tree.edges.length);
  set('unnamed tables', [...bound.tables].filter((table) => !context.named.has(table)).length);
  set('is distinct', plan.query.kind === 'select' && plan.query.distinct ? 1 : 0);
  set('limit', Math.min(options.limit ?? 0, 5));
}

/** What the rules understood and a candidate does otherwise. */
function frameFeatures(
  { draft: { bound, options }, plan, traits }: Candidate,
  { frame }: ReadQuestion,
  set: SetFeature,
): void {
  const isDistinct =
    traits.shape.distinct === 'yes' || traits.shape.show.includes('distinct') || plan.query.kind === 'set';
  set('other limit', options.limit === frame.limit ? 0 : 1);
  set('distinct unasked', isDistinct && !frame.isDistinct ? 1 : 0);
  set('distinct unheard', frame.isDistinct && !isDistinct ? 1 : 0);
  const asked =
    frame.filters.length +
    frame.groups.length +
    frame.orders.length +
    frame.havings.length +
    frame.absences.length;
  const bounds =
    bound.filters.length +
    bound.groups.length +
    bound.orders.length +
    bound.havings.length +
    bound.absences.length;
  set('slots dropped', Math.max(0, asked - bounds));
  set('slots added', Math.max(0, bounds - asked));
  set('absences dropped', frame.absences.length - bound.absences.length);
  set('orders dropped', frame.orders.length - bound.orders.length);
  set('groups dropped', frame.groups.length + frame.grains.length - bound.groups.length);
  set(
    'contexts left out',
    frame.contexts.filter(({ nouns }) => {
      const named = nouns.filter(({ kind, score }) => kind === 'table' && score >= NAMED);
      return named.length > 0 && !named.some(({ tableId }) => traits.tables.has(tableId));
    }).length,
  );
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;

function askedFeatures({ tokens, mentions, frame, bounds }: ReadQuestion): [string, number][] {
  const [first] = bounds;
  const best =
    first === undefined ? 0 : readingProbability({ bound: first, frame, mentions, extraTables: 0 });
  const cues = (kind: string): number => mentions.filter(({ cue }) => cue?.kind === kind).length;
  return [
    ['tokens', tokens.length],
    ['mentions', mentions.length],
    ['unexplained', unexplainedWords(mentions, frame.used).length],
    ['unknown', mentions.filter(({ isUnknown }) => isUnknown).length],
    ['dangling', frame.dangling.length],
    ['lost', frame.lost.length],
    ['bounds', bounds.length],
    ['best rules', best],
    ['negations', cues('not')],
    ['superlatives', cues('superlative')],
    ['asks distinct', frame.isDistinct ? 1 : 0],
    ['asks overall', frame.overall === undefined ? 0 : 1],
    ['comparisons', cues('compare')],
    ['groupings', cues('group')],
    ['orderings', cues('order') + cues('direction')],
  ];
}

/** What counts is often not how good a candidate is, but whether it is better than the others. */
function compare(rows: readonly Float32Array[]): void {
  const [first] = rows;
  if (first === undefined) return;
  for (const name of COMPARED) {
    const own = placeOf.get(name) ?? Number.NaN;
    const values = rows.map((row) => row[own] ?? 0);
    const best = Math.max(...values);
    const base = first[own] ?? 0;
    for (const [at, row] of rows.entries()) {
      row[placeOf.get(`${name} beside first`) ?? Number.NaN] = (values[at] ?? 0) - base;
      row[placeOf.get(`${name} beside best`) ?? Number.NaN] = (values[at] ?? 0) - best;
    }
  }
}
