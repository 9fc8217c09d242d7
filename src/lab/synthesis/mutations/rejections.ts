/** The dimension or the metric that is asked for is not there; BAR-SQL §5. */
import { editInventory } from '../context/edit-context.ts';
import { findRoute } from '../inventory/find-route.ts';
import { lookupWords } from '../inventory/inventory.ts';
import { FOREIGN_DIMENSIONS, FOREIGN_METRICS, FOREIGN_MODIFIERS } from '../lexicon/lexicon.ts';
import type { Seed } from '../seeds/make-seed.ts';
import { filterPhrase, metricKind, metricWords } from '../words/phrase.ts';
import { reworded } from './ambiguity.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';
import { collectKnownWords } from './mutation.ts';

export const REJECTIONS: readonly Mutation[] = [
  { category: 'dim_reject', kind: 'hidden-column', mutate: async (seed, source) => hideColumn(seed, source) },
  { category: 'dim_reject', kind: 'unreachable', mutate: async (seed, source) => unreachable(seed, source) },
  {
    category: 'dim_reject',
    kind: 'foreign-group',
    mutate: async (seed, source) => foreignGroup(seed, source),
  },
  {
    category: 'dim_reject',
    kind: 'foreign-filter',
    mutate: async (seed, source) => foreignFilter(seed, source),
  },
  {
    category: 'metric_reject',
    kind: 'foreign-metric',
    mutate: async (seed, source) => foreignMetric(seed, source),
  },
  {
    category: 'metric_reject',
    kind: 'modified-metric',
    mutate: async (seed, source) => modifiedMetric(seed, source),
  },
];

/** The column of a dimension that the question names is gone, and every column of the same name with it. */
function hideColumn(seed: Seed, { inventory, dice }: MutationSource): Mutated | undefined {
  const { structure, scope, worded } = seed;
  const { semantics, catalog } = inventory;
  const names = [...structure.groups, ...structure.filters.map(({ dimension }) => dimension)];
  const usable = names.filter((name) => scope.reach.get(name)?.dimension.isTime === false);
  if (usable.length === 0 || structure.step !== undefined) return undefined;
  const name = dice.pick(usable);
  const column = scope.reach.get(name)?.dimension.column ?? '';
  const columns = copiesOf(column, catalog.tables);
  const text = JSON.stringify([
    semantics.metrics,
    semantics.relationships,
    semantics.datasets.map(({ defaultFilter }) => defaultFilter),
  ]);
  // A metric that is defined by the column would be gone with it.
  if (columns.some((id) => text.includes(id))) return undefined;
  const edits = [{ kind: 'hide-columns' as const, columns }];
  const known = collectKnownWords(editInventory(inventory, edits, scope.metric.name));
  const at = structure.groups.indexOf(name);
  const entity = structure.filters.find(({ dimension }) => dimension === name);
  // Of "in the city of Carrow" both words are gone, and a refusal may name either.
  const missing = at < 0 ? `${name} ${entity?.surface ?? ''}`.trim() : (worded.groups[at] ?? name);
  // Another name that says the same would answer the question after all.
  const said = at < 0 ? (entity?.surface ?? name) : (lookupWords(missing).at(-1) ?? missing);
  if (known.knows(said)) return undefined;
  return rejecting(worded.question, { missing, metric: scope.metric.name, isMetric: false, edits });
}

function copiesOf(column: string, tables: MutationSource['inventory']['catalog']['tables']): string[] {
  const name = column.slice(column.indexOf('.') + 1);
  const copies = tables.flatMap(({ columns }) => columns.filter(({ id }) => id.endsWith(`.${name}`)));
  return copies.map(({ id }) => id);
}

/** A dimension that exists, and that no link leads to from the rows of the metric. */
function unreachable(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure, scope } = seed;
  const { semantics } = source.inventory;
  if (structure.groups.length !== 1 || structure.step !== undefined) return undefined;
  const reached = new Set(
    [...scope.reach.values()].flatMap(({ dimension: { name, synonyms } }) => [name, ...synonyms]),
  );
  const far = semantics.dimensions.filter(
    (dimension) =>
      !dimension.isTime &&
      ![dimension.name, ...dimension.synonyms].some((words) => reached.has(words)) &&
      scope.parts.every((part) => findRoute(part, dimension, semantics).kind === 'none'),
  );
  if (far.length === 0) return undefined;
  const { name } = source.dice.pick(far);
  const question = reworded(seed, source, { groups: [name] });
  return rejecting(question, { missing: name, metric: scope.metric.name, isMetric: false, edits: [] });
}

function foreignGroup(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure, scope } = seed;
  if (structure.groups.length !== 1 || structure.step !== undefined) return undefined;
  const free = FOREIGN_DIMENSIONS.filter(({ name }) => !source.known.knows(name));
  if (free.length === 0) return undefined;
  const { name } = source.dice.pick(free);
  const question = reworded(seed, source, { groups: [name] });
  return rejecting(question, { missing: name, metric: scope.metric.name, isMetric: false, edits: [] });
}

function foreignFilter(seed: Seed, source: MutationSource): Mutated | undefined {
  const { structure, scope } = seed;
  const { inventory, dice } = source;
  if (structure.step !== undefined || structure.filters.length > 1) return undefined;
  const free = FOREIGN_DIMENSIONS.flatMap(({ values }) => values).filter(
    (value) => !source.known.knows(value),
  );
  if (free.length === 0) return undefined;
  const value = dice.pick(free);
  const own = structure.filters.map((entity) => filterPhrase(entity, inventory, dice));
  const question = reworded(seed, source, { filters: [...own, ` with ${value}`] });
  return rejecting(question, { missing: value, metric: scope.metric.name, isMetric: false, edits: [] });
}

function foreignMetric(seed: Seed, source: MutationSource): Mutated | undefined {
  if (seed.structure.step !== undefined) return undefined;
  const free = FOREIGN_METRICS.filter((name) => !source.known.knows(name));
  if (free.length === 0) return undefined;
  const missing = source.dice.pick(free);
  const question = reworded(seed, source, { metric: missing, metricKind: 'level' });
  return rejecting(question, { missing, metric: missing, isMetric: true, edits: [] });
}

/** "hot leads", where leads are known and nothing says which of them are hot. */
function modifiedMetric(seed: Seed, source: MutationSource): Mutated | undefined {
  const { scope, structure } = seed;
  if (structure.step !== undefined || metricKind(scope) !== 'count') return undefined;
  const free = FOREIGN_MODIFIERS.filter((word) => !source.known.knows(word));
  if (free.length === 0) return undefined;
  const words = metricWords(scope.metric, source.inventory, source.dice);
  const missing = `${source.dice.pick(free)} ${words}`;
  const question = reworded(seed, source, { metric: missing });
  return rejecting(question, { missing, metric: missing, isMetric: true, edits: [] });
}

interface Missing {
  readonly missing: string;
  readonly metric: string;
  readonly isMetric: boolean;
  readonly edits: Mutated['edits'];
}

function rejecting(question: string, { missing, metric, isMetric, edits }: Missing): Mutated {
  return {
    kind: '',
    question,
    due: { kind: 'reject', reason: isMetric ? 'metric' : 'dimension', missing },
    gold: isMetric
      ? `There is no metric “${missing}” here.`
      : `There is nothing called “${missing}” here that “${metric}” could be split or narrowed by.`,
    goldKind: 'nl',
    edits,
  };
}
