/** One part of the question is made vague; BAR-SQL §5. */

import { findRoute, type RouteSearch } from '../inventory/find-route.ts';
import type { Due } from '../items/bench-item.ts';
import { BROAD_QUESTIONS, VAGUE_RANKINGS, VAGUE_TIMES } from '../lexicon/lexicon.ts';
import type { Seed } from '../seeds/make-seed.ts';
import type { Shape } from '../templates/make-templates.ts';
import { dimensionWords, filterPhrase, plural } from '../words/phrase.ts';
import { type OtherWords, wordQuestion } from '../words/word-question.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';

export const AMBIGUITIES: readonly Mutation[] = [
  { category: 'ambiguity', kind: 'vague-time', mutate: async (seed, source) => vagueTime(seed, source) },
  { category: 'ambiguity', kind: 'vague-metric', mutate: async (seed, source) => vagueMetric(seed, source) },
  { category: 'ambiguity', kind: 'broad-intent', mutate: async (seed, source) => broadIntent(seed, source) },
  {
    category: 'ambiguity',
    kind: 'vague-ranking',
    mutate: async (seed, source) => vagueRanking(seed, source),
  },
  { category: 'ambiguity', kind: 'shared-word', mutate: async (seed, source) => sharedWord(seed, source) },
  { category: 'ambiguity', kind: 'open-route', mutate: async (seed, source) => openRoute(seed, source) },
];

/** "in March 2024" becomes "recently". */
function vagueTime(seed: Seed, source: MutationSource): Mutated | undefined {
  if (seed.structure.period === undefined || seed.structure.step !== undefined) return undefined;
  const phrase = source.dice.pick(VAGUE_TIMES);
  const question = reworded(seed, source, { period: phrase });
  return asking(
    question,
    { kind: 'clarify', gap: 'time', phrase },
    `Which period do you mean by “${phrase}”?`,
  );
}

/** The metric becomes a word that the semantic model says must be asked about. */
function vagueMetric(seed: Seed, source: MutationSource): Mutated | undefined {
  const { semantics } = source.inventory;
  const terms = semantics.vagueTerms.filter(({ gap, term }) => gap === 'metric' && !/\s/.test(term));
  // A filter that says the word too would make it part of a name.
  const free = terms.filter(({ term }) => !seed.worded.question.toLowerCase().includes(term.toLowerCase()));
  if (free.length === 0 || seed.structure.step !== undefined) return undefined;
  const { term } = source.dice.pick(free);
  const question = reworded(seed, source, { metric: term, metricKind: 'amount' });
  return asking(
    question,
    { kind: 'clarify', gap: 'metric', phrase: term },
    `Which figure do you mean by “${term}”?`,
  );
}

/** A question for no figure at all. */
function broadIntent(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure } = seed;
  if (structure.step !== undefined || structure.groups.length > 0) return undefined;
  const { text, phrase } = source.dice.pick(BROAD_QUESTIONS);
  const question = filled(text, seed, source);
  return asking(
    question,
    { kind: 'clarify', gap: 'intent', phrase },
    `Which figure do you want to see for “${phrase}”?`,
  );
}

/** A ranking without what it ranks by. */
function vagueRanking(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure } = seed;
  if (structure.ranking === undefined) return undefined;
  const { text, phrase } = source.dice.pick(VAGUE_RANKINGS);
  const question = filled(text, seed, source);
  return asking(
    question,
    { kind: 'clarify', gap: 'intent', phrase },
    `By which figure do you mean “${phrase}”?`,
  );
}

/** "by type", where energy type, body type and dealer type are all there. */
function sharedWord(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure, scope } = seed;
  const [only, other] = structure.groups;
  if (only === undefined || other !== undefined || structure.step !== undefined) return undefined;
  const { dimensions } = source.inventory.semantics;
  const named = new Set(dimensions.flatMap(({ name, synonyms }) => [name, ...synonyms]));
  const headOf = (name: string): string => name.split(/\s+/).at(-1) ?? '';
  const reached = [...scope.reach.values()].filter(({ dimension }) => /\s/.test(dimension.name));
  const heads = reached.map(({ dimension }) => headOf(dimension.name));
  // The status of the rows themselves is what "status" means first.
  const own = reached.filter(({ routes }) => routes.every(({ length }) => length === 0));
  const shared = [...new Set(heads)].filter(
    (head) =>
      !named.has(head) &&
      heads.filter((each) => each === head).length > 1 &&
      own.every(({ dimension }) => headOf(dimension.name) !== head),
  );
  if (shared.length === 0) return undefined;
  const head = source.dice.pick(shared);
  const question = reworded(seed, source, { groups: [head] });
  return asking(question, { kind: 'clarify', gap: 'term', phrase: head }, `Which “${head}” do you mean?`);
}

/** A dimension that several links lead to, and nothing says which. */
function openRoute(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure, scope } = seed;
  const [part, other] = scope.parts;
  if (part === undefined || other !== undefined || structure.groups.length !== 1) return undefined;
  const { semantics } = source.inventory;
  const open = semantics.dimensions.filter(
    (dimension) => !dimension.isTime && isOpen(findRoute(part, dimension, semantics)),
  );
  if (open.length === 0 || structure.step !== undefined) return undefined;
  const { name } = source.dice.pick(open);
  const phrase = dimensionWords(name, source.inventory, source.dice);
  const question = reworded(seed, source, { groups: [phrase] });
  return asking(
    question,
    { kind: 'clarify', gap: 'join-path', phrase },
    `Which ${phrase} of the ${part.name} do you mean?`,
  );
}

/** The ways part at two links between the same tables, each with a role of its own. */
function isOpen(search: RouteSearch): boolean {
  if (search.kind !== 'open') return false;
  const [first = [], second = []] = search.routes;
  const at = first.findIndex(({ name }, place) => name !== second[place]?.name);
  const [left, right] = [first[at], second[at]];
  return left?.from === right?.from && left?.to === right?.to && left?.role !== undefined;
}

/** The seed in words again, some of them others. */
export function reworded(
  {
    structure,
    scope,
    template,
  }: Pick<Seed, 'structure' | 'scope'> & { readonly template: { readonly shape: Shape } },
  { inventory, dice }: MutationSource,
  says: OtherWords,
): string {
  return wordQuestion({ structure, shape: template.shape, scope, inventory, dice, says }).question;
}

function filled(text: string, { structure }: Seed, { inventory, dice }: MutationSource): string {
  const [group = ''] = structure.groups;
  const words = group === '' ? '' : dimensionWords(group, inventory, dice);
  const slots: Readonly<Record<string, string>> = {
    f: structure.filters.map((entity) => filterPhrase(entity, inventory, dice)).join(''),
    p: structure.period === undefined ? '' : ` ${structure.period.phrase}`,
    d: words,
    ds: plural(words),
    n: String(Math.max(structure.ranking?.limit ?? 1, 3)),
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
}

function asking(question: string, due: Due, gold: string): Mutated {
  return { kind: '', question, due, gold, goldKind: 'nl', edits: [] };
}
