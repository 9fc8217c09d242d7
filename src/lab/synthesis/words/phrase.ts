/** Words for the parts of a structure, as somebody in the business would say them. */
import type { Metric } from '../../../knowledge/semantic/index.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import type { Dice } from '../items/seeded-random.ts';
import type { Entity } from '../items/structure.ts';

/** `count`: things that one counts; `amount`: what is added up; `level`: means, rates and ratios. */
export type MetricKind = 'count' | 'amount' | 'level';

export function metricKind({ metric, parts }: MetricScope): MetricKind {
  const [only, other] = parts;
  if (other !== undefined) return 'level';
  const expression = only?.expression ?? '';
  // "order backlog" counts orders and is no word for many of them.
  const isMany = metric.name.endsWith('s');
  return /^\s*count/i.test(expression) && isMany
    ? 'count'
    : /^\s*(?:sum|count)/i.test(expression)
      ? 'amount'
      : 'level';
}

const OTHER_NAME = 0.3;

/** The metric's name, or one of its synonyms that no other metric or dimension has. */
export function metricWords(metric: Metric, { semantics }: Inventory, dice: Dice): string {
  const others = [...semantics.metrics.filter((other) => other !== metric), ...semantics.dimensions];
  const taken = new Set(others.flatMap(({ name, synonyms }) => [name, ...synonyms]).map(folded));
  const vague = semantics.vagueTerms.map(({ term }) => folded(term));
  const free = metric.synonyms.filter(
    (synonym) => !taken.has(folded(synonym)) && !vague.includes(folded(synonym)),
  );
  return free.length > 0 && dice.chance(OTHER_NAME) ? dice.pick(free) : metric.name;
}

function folded(text: string): string {
  return text.toLowerCase();
}

/** The dimension's name, or a synonym that is its own. */
export function dimensionWords(name: string, { semantics }: Inventory, dice: Dice): string {
  const dimension = semantics.dimensions.find((each) => each.name === name);
  if (dimension === undefined) return name;
  const others = [...semantics.dimensions.filter((other) => other !== dimension), ...semantics.metrics];
  const taken = new Set(others.flatMap((other) => [other.name, ...other.synonyms]).map(folded));
  const free = dimension.synonyms.filter(
    (synonym) => !taken.has(folded(synonym)) && plural(synonym) !== synonym && !synonym.endsWith('ly'),
  );
  return free.length > 0 && dice.chance(OTHER_NAME / 2) ? dice.pick(free) : name;
}

const PLACE = /(?:^| )(?:city|town|province|region|state|country|county|district|area|continent|market)$/i;

/** " in Carrow", " for Halden", " with energy type electric". */
export function filterPhrase(entity: Entity, inventory: Inventory, dice: Dice): string {
  const { surface, dimension } = entity;
  const isCode = inventory.semantics.valueMappings.some(({ column }) => column === entity.column);
  if (isCode)
    return dice.pick([
      ` with ${dimension} ${surface}`,
      ` where the ${dimension} is ${surface}`,
      ` for ${dimension} ${surface}`,
    ]);
  if (PLACE.test(dimension))
    return dice.pick([
      ` in ${surface}`,
      ` in ${surface}`,
      ` in the ${dimension} of ${surface}`,
      ` for ${surface}`,
    ]);
  return dice.pick([
    ` for ${surface}`,
    ` of ${surface}`,
    ` for the ${dimension} ${surface}`,
    ` for ${dimension} ${surface}`,
  ]);
}

/** "cities", "dealer types", "series". */
export function plural(noun: string): string {
  if (/(?:series|species|s)$/i.test(noun) && !/(?:ss|us|is)$/i.test(noun)) return noun;
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}
