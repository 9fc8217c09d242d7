/** Reasons that lead from a question to its gold, citing facts of the context only: KGRS, BAR-SQL §6. */

import { findColumn, type Inventory, type MetricScope } from '../inventory/inventory.ts';
import type { BenchItem, Category, Citation } from '../items/bench-item.ts';
import type { Step } from '../items/structure.ts';
import type { Seed } from '../seeds/make-seed.ts';
import { ownRequest } from '../steps/compile-structure.ts';

interface Trace {
  readonly think: string;
  readonly citations: readonly Citation[];
}

/** An item as far as its trace needs it. */
export type Traced = Pick<BenchItem, 'category' | 'due' | 'errorMessage' | 'edits'>;

/** First-person sentences for an item; `inventory` is that of the item's own context. */
export function writeTrace(item: Traced, seed: Seed, inventory: Inventory): Trace {
  const notes = new Notes();
  const { due } = item;
  switch (due.kind) {
    case 'answered':
      if (item.category === 'reflection') reflect(item.errorMessage ?? '', notes);
      answer(item, seed, inventory, notes);
      break;
    case 'clarify':
      notes.say(`I read the question word by word. “${due.phrase}” leaves the ${due.gap} open.`);
      askBack(due.gap, due.phrase, inventory, notes);
      break;
    case 'follow_up':
      metricOf(seed.scope, notes);
      notes.cite({ store: 'metric', ref: due.metric });
      notes.say(
        `By its definition it only makes sense with a ${due.dimension}, and no rule gives a default for that.`,
      );
      notes.say(
        `The question names no ${due.dimension}, nor anything below it, so I stop and ask which ${due.dimension} is meant.`,
      );
      break;
    case 'reject':
      refuse(due, seed, inventory, notes);
      break;
  }
  return notes.trace();
}

/** Sentences with the facts that they stand on. */
class Notes {
  readonly #sentences: string[] = [];
  readonly #citations = new Map<string, Citation>();

  say(sentence: string): void {
    this.#sentences.push(sentence);
  }

  cite(citation: Citation): void {
    this.#citations.set(`${citation.store} ${citation.ref}`, citation);
  }

  trace(): Trace {
    return { think: this.#sentences.join(' '), citations: [...this.#citations.values()] };
  }
}

function reflect(message: string, notes: Notes): void {
  notes.say(`The query before failed: the engine says “${message.slice(0, 200)}”.`);
  notes.say(
    'So the text itself is at fault, not the data; I take what it meant and write it again with names and syntax that exist.',
  );
}

function metricOf({ metric, parts }: MetricScope, notes: Notes): void {
  notes.cite({ store: 'metric', ref: metric.name });
  const [only, other] = parts;
  if (other === undefined)
    notes.say(
      `The figure asked for is the metric “${metric.name}”, ${only?.expression ?? ''} over ${only?.table ?? ''}.`,
    );
  else
    notes.say(
      `The figure asked for is the metric “${metric.name}”: “${only?.name}” divided by “${other.name}”, each with its own conditions.`,
    );
  for (const part of parts) {
    notes.cite({ store: 'metric', ref: part.name });
    if (part.filters.length > 0)
      notes.say(`Its definition keeps only rows where ${part.filters.join(' and ')}.`);
  }
}

function answer(item: Traced, { structure, scope }: Seed, inventory: Inventory, notes: Notes): void {
  const here = inventory.metrics.find(({ metric }) => metric.name === scope.metric.name) ?? scope;
  metricOf(here, notes);
  const { period } = ownRequest(structure, here, inventory);
  const dated = here.parts.flatMap(({ timeColumn }) => timeColumn ?? []);
  if (period !== undefined && dated.length > 0) {
    if (structure.period === undefined) {
      notes.cite({ store: 'domain', ref: 'time_rules.default_window' });
      notes.say(`No period is named, so the rule takes the current year, ${period.label}.`);
    }
    notes.say(
      `The period runs from ${period.from} up to but not including ${period.until}, on ${dated[0] ?? ''}.`,
    );
    for (const column of dated) notes.cite({ store: 'schema', ref: column });
  }
  for (const entity of structure.filters) {
    const column = here.reach.get(entity.dimension)?.dimension.column ?? entity.column;
    notes.cite({ store: 'data', ref: `${column}=${entity.value}` });
    notes.say(`“${entity.surface}” is stored as ${entity.value} in ${column}, so I narrow to it.`);
  }
  for (const name of structure.groups) groupBy(name, here, item, notes);
  const { ranking, step } = structure;
  if (ranking !== undefined)
    notes.say(
      `I order by the figure, ${ranking.direction === 'desc' ? 'largest' : 'smallest'} first, and keep ${ranking.limit}.`,
    );
  if (step !== undefined) notes.say(stepSentence(step));
}

function groupBy(name: string, scope: MetricScope, item: Traced, notes: Notes): void {
  const reach = scope.reach.get(name);
  if (reach === undefined) return;
  const { column } = reach.dimension;
  const route = reach.routes[0] ?? [];
  notes.cite({ store: 'schema', ref: column });
  if (route.length > 0) {
    const tables = route.map(({ to }) => to).join(', ');
    notes.say(`It is split by ${name}, which is ${column}, reached over ${tables}.`);
  } else if (item.category === 'degenerate')
    notes.say(
      `It is split by ${name}, which here stands in the table of the facts itself as ${column}: no join is due.`,
    );
  else notes.say(`It is split by ${name}, which is ${column} of the same table.`);
}

function stepSentence(step: Step): string {
  switch (step.kind) {
    case 'growth':
      return `I work out the figure for ${step.before.label} and for the later period in two named queries, and divide the change by the earlier one, times 100.`;
    case 'difference':
      return `I work out the figure for ${step.before.label} and for the later period in two named queries and subtract the earlier from the later.`;
    case 'share':
      return `One named query holds the part for “${step.of.surface}”, another the whole; the share is the one divided by the other.`;
    case 'shares':
      return 'One named query holds the figure of each group, another the whole; each share is the one divided by the other.';
    case 'share-change':
      return `I need four figures: the part for “${step.of.surface}” and the whole, in ${step.before.label} and in the later period. The change is the difference of the two shares, in points.`;
    case 'top-per-group':
      return `Within each value of the first group a window function ranks the second by the figure; I keep the first ${step.limit}.`;
    case 'above-average':
      return 'A named query holds the figure of each group; I keep the groups above the mean of those figures.';
    case 'rank-change':
      return `A window function ranks the groups in ${step.before.label} and in the later period; I join the two rankings on the group.`;
    case 'largest-rise':
      return 'A named query holds the figure of each period; LAG gives the one before, and I keep the period with the largest rise.';
    case 'average-of-groups':
      return 'A named query holds the figure of each group, and the answer is the mean of those figures.';
    case 'count-above':
      return `A named query holds the figure of each group; I count those above ${step.threshold}.`;
  }
}

function askBack(gap: string, phrase: string, { semantics }: Inventory, notes: Notes): void {
  const vague = semantics.vagueTerms.find(({ term }) => term.toLowerCase() === phrase.toLowerCase());
  if (vague !== undefined) {
    notes.cite({ store: 'domain', ref: `vague_terms.${vague.term}` });
    notes.say(
      `The business rules say that “${vague.term}” must be asked about; it may stand for ${vague.options.join(' or ')}.`,
    );
  } else if (gap === 'time') {
    notes.cite({ store: 'domain', ref: 'time_rules' });
    notes.say(
      'No time rule turns these words into days, and to guess a period would answer another question.',
    );
  } else {
    notes.cite({ store: 'metric', ref: '*' });
    notes.cite({ store: 'schema', ref: '*' });
    notes.say(
      'Several metrics or dimensions fit these words equally well, and neither a rule nor the rest of the question picks one.',
    );
  }
  notes.say('Everything else is settled, so I ask one short question about this part alone.');
}

function refuse(
  due: Extract<Traced['due'], { readonly kind: 'reject' }>,
  { scope }: Seed,
  { semantics }: Inventory,
  notes: Notes,
): void {
  if (due.reason === 'metric') {
    notes.cite({ store: 'metric', ref: '*' });
    notes.say(
      `The question asks for “${due.missing}”. I searched the names and synonyms of all ${semantics.metrics.length} metrics, and the columns of the schema, and found nothing that it could mean.`,
    );
  } else {
    metricOf(scope, notes);
    notes.cite({ store: 'schema', ref: '*' });
    notes.cite({ store: 'data', ref: '*' });
    notes.say(
      `The question also needs “${due.missing}”. I searched all ${semantics.dimensions.length} dimensions, the columns and the stored values, and nothing that the figure reaches carries it.`,
    );
  }
  notes.say(
    'No vagueness is involved and no further word of the user would make it exist, so I say what is missing instead of answering something else.',
  );
}

const FEWEST_WORDS = 30;
const MOST_WORDS = 250;
const MOST_WORDS_MULTI_STEP = 600;

/**
 * What is wrong with a trace; undefined where every fact it cites is there in the item's own context and its length is
 * within bounds (BAR-SQL §6).
 */
export function checkTrace(
  { think, citations }: Trace,
  category: Category,
  inventory: Inventory,
): string | undefined {
  const words = think.split(/\s+/).length;
  const most = category === 'multi_step' ? MOST_WORDS_MULTI_STEP : MOST_WORDS;
  if (words < FEWEST_WORDS || words > most) return `it has ${words} words`;
  if (citations.length === 0) return 'it cites nothing';
  const unknown = citations.find((citation) => !exists(citation, inventory));
  return unknown === undefined ? undefined : `it cites ${unknown.store} ${unknown.ref}, which is not there`;
}

function exists({ store, ref }: Citation, { semantics, catalog }: Inventory): boolean {
  // The whole store: that it was searched, and nothing found.
  if (ref === '*') return true;
  switch (store) {
    case 'schema':
      return findColumn(ref, catalog) !== undefined;
    case 'metric':
      return semantics.metrics.some(({ name }) => name === ref);
    case 'domain':
      return (
        ref.startsWith('time_rules') || semantics.vagueTerms.some(({ term }) => ref === `vague_terms.${term}`)
      );
    case 'data':
      return findColumn(ref.slice(0, ref.indexOf('=')), catalog) !== undefined;
  }
}
