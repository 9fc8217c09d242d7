/** The metric demands a dimension that the question lacks; BAR-SQL §5. */
import type { Seed } from '../seeds/make-seed.ts';
import { ancestry } from '../templates/make-templates.ts';
import { wordQuestion } from '../words/word-question.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';

export const FOLLOW_UPS: readonly Mutation[] = [
  { category: 'follow_up', kind: 'stripped', mutate: async (seed, source) => strip(seed, source) },
  { category: 'follow_up', kind: 'demanded', mutate: async (seed, source) => demand(seed, source) },
];

/** The metric demands it already: what satisfies it is taken out of the question. */
function strip({ structure, scope }: Seed, source: MutationSource): Mutated | undefined {
  const { inventory, dice } = source;
  const { semantics } = inventory;
  if (structure.step !== undefined || structure.ranking !== undefined) return undefined;
  const demanded = [scope.metric, ...scope.parts].flatMap(({ mandatoryDimensions }) => mandatoryDimensions);
  const [dimension] = demanded;
  if (dimension === undefined) return undefined;
  const satisfies = (name: string): boolean =>
    ancestry(name, semantics).some((level) => demanded.includes(level));
  const stripped = {
    ...structure,
    filters: structure.filters.filter((entity) => !satisfies(entity.dimension)),
    groups: structure.groups.filter((name) => !satisfies(name)),
  };
  const shape = stripped.groups.length === 0 ? 'figure' : 'by-group';
  const { question } = wordQuestion({ structure: stripped, shape, scope, inventory, dice });
  return due(question, scope.metric.name, dimension);
}

/** Any metric, once it demands a dimension it reaches and the question does not name. */
function demand(
  { structure, scope, worded }: Seed,
  { inventory, dice }: MutationSource,
): Mutated | undefined {
  const { semantics, entities } = inventory;
  if (scope.metric.ratio !== undefined || structure.step !== undefined) return undefined;
  const used = [...structure.groups, ...structure.filters.map(({ dimension }) => dimension)].flatMap((name) =>
    ancestry(name, semantics),
  );
  // A level below the demanded one would satisfy it.
  const free = [...scope.reach.values()].filter(
    ({ dimension: { name, isTime } }) => !isTime && entities.has(name) && !used.includes(name),
  );
  if (free.length === 0 || scope.metric.mandatoryDimensions.length > 0) return undefined;
  const { name } = dice.pick(free).dimension;
  return {
    ...due(worded.question, scope.metric.name, name),
    edits: [{ kind: 'demand', metric: scope.metric.name, dimension: name }],
  };
}

function due(question: string, metric: string, dimension: string): Mutated {
  return {
    kind: '',
    question,
    due: { kind: 'follow_up', metric, dimension },
    gold: `“${metric}” needs a ${dimension}. Which ${dimension} do you mean?`,
    goldKind: 'nl',
    edits: [],
  };
}
