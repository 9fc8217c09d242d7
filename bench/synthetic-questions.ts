/** Questions with the names and values of a synthetic catalog, ten forms in turn. */
import type { Table } from '../src/catalog/index.ts';
import { createRandom, type Random } from '../src/demo/motors/random.ts';
import { CATEGORIES, CITIES } from './business-words.ts';
import type { SyntheticDatabase } from './synthetic-catalog.ts';

export interface SyntheticQuestion {
  readonly text: string;
  /** The tables the question names: the SQL needs these and no other. */
  readonly tableIds: readonly string[];
}

type Form = (table: Words, random: Random) => string;

/** What a question can name of one table. */
interface Words {
  readonly one: string;
  readonly many: string;
  readonly measure: string;
  readonly parent: string;
  readonly storedName: string;
}

const FORMS: readonly Form[] = [
  ({ many }) => `How many ${many} are there?`,
  ({ many }, random) => `How many ${many} are in ${random.pick(CITIES)}?`,
  ({ many, measure }) => `What is the average ${measure} of ${many}?`,
  ({ many, measure }) => `Show the total ${measure} of ${many} per category.`,
  ({ many, measure }, random) =>
    `List the names of ${many} with a ${measure} above ${random.integer(10, 900)}.`,
  ({ one, measure }) => `Which ${one} has the highest ${measure}?`,
  ({ many }, random) => `How many ${many} with category ${random.pick(CATEGORIES)} are there by city?`,
  ({ many, parent }) => `Show the number of ${many} for each ${parent}.`,
  ({ many, measure }) => `Top 5 ${many} by ${measure}.`,
  ({ one, measure, storedName }) => `What is the ${measure} of the ${one} named '${storedName}'?`,
];

/** `count` questions; the same seed gives the same ones. */
export function writeQuestions(
  { catalog, values }: SyntheticDatabase,
  count: number,
  seed: number,
): SyntheticQuestion[] {
  const random = createRandom(seed);
  const names = new Map(values.map((column) => [column.columnId, column.values]));
  const parents = new Map(catalog.foreignKeys.map((key) => [key.fromTable, key.toTable]));
  return Array.from({ length: count }, (_, index) => {
    const table = random.pick(catalog.tables);
    const form = FORMS[index % FORMS.length]!;
    const [storedName = ''] = random.pick(names.get(`${table.id}.name`) ?? [['', 0]]);
    const parent = parents.get(table.id) ?? random.pick(catalog.tables).id;
    const text = form(wordsOf(table, parent, storedName, random), random);
    const isAboutParent = text.endsWith(`for each ${spoken(parent)}.`);
    return { text, tableIds: isAboutParent ? [table.id, parent].sort() : [table.id] };
  });
}

function wordsOf(table: Table, parent: string, storedName: string, random: Random): Words {
  const measures = table.columns.filter((column) => column.type === 'REAL').map((column) => column.name);
  const one = spoken(table.name);
  return { one, many: plural(one), measure: random.pick(measures), parent: spoken(parent), storedName };
}

function spoken(name: string): string {
  return name.replaceAll('_', ' ');
}

function plural(words: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(words)) return `${words}es`;
  return /[^aeiou]y$/.test(words) ? `${words.slice(0, -1)}ies` : `${words}s`;
}
