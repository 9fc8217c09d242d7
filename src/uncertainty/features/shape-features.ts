/** The whole query beside the whole question: what was said and is not there, what kind of answer is asked for. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { type AskedQuestion, barePattern, questionMemory } from './asked-question.ts';
import type { Feature, FeatureGroup, FeatureSources, NodeReader } from './feature.ts';
import { nodeSubjects } from './node-subjects.ts';

const lacks = (text: string) => (value: number | string) =>
  typeof value === 'number' && value > 0 ? text : undefined;

const SHAPE_FEATURES = [
  { name: 'n_question_words', kind: 'count', unit: 'words', about: 'length of the question' },
  { name: 'n_hint_words', kind: 'count', unit: 'words', about: 'length of the hint' },
  {
    name: 'unused_hint_texts',
    kind: 'count',
    unit: 'texts',
    about: 'quoted texts of the hint that no literal of the query has',
    tell: lacks('the query does not use a value that the hint gives'),
  },
  {
    name: 'unused_hint_numbers',
    kind: 'count',
    unit: 'numbers',
    about: 'numbers of the hint that no literal of the query has',
  },
  {
    name: 'unused_question_texts',
    kind: 'count',
    unit: 'texts',
    about: 'quoted or capitalised texts of the question that no literal of the query has',
    tell: lacks('the query does not use a name that the question gives'),
  },
  {
    name: 'unused_question_numbers',
    kind: 'count',
    unit: 'numbers',
    about: 'numbers of the question that no literal of the query has',
    tell: lacks('the query does not use a number that the question gives'),
  },
  {
    name: 'unused_hint_columns',
    kind: 'count',
    unit: 'names',
    about: 'names of columns in the hint that the query does not use',
    tell: lacks('the query does not use a column that the hint names'),
  },
  {
    name: 'unused_hint_calls',
    kind: 'count',
    unit: 'functions',
    about: 'functions that the hint writes and the query does not call',
    tell: lacks('the query does not call a function that the hint has'),
  },
  { name: 'asks_count', kind: 'boolean', unit: 'yes or no', about: 'the question asks how many' },
  {
    name: 'asks_superlative',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the question asks for a highest or lowest',
  },
  { name: 'asks_average', kind: 'boolean', unit: 'yes or no', about: 'the question asks for a mean' },
  { name: 'asks_sum', kind: 'boolean', unit: 'yes or no', about: 'the question asks for a total' },
  {
    name: 'asks_ratio',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the question asks for a share, a ratio or a difference',
  },
  { name: 'asks_each', kind: 'boolean', unit: 'yes or no', about: 'the question asks for a value of each' },
  {
    name: 'asks_different',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the question asks for distinct ones',
  },
  { name: 'asks_yes_or_no', kind: 'boolean', unit: 'yes or no', about: 'the question begins with a verb' },
  { name: 'n_commas_and_ands', kind: 'count', unit: 'words', about: 'commas and ands of the question' },
  { name: 'n_selected', kind: 'count', unit: 'expressions', about: 'what the outer query shows' },
  {
    name: 'first_selected',
    kind: 'category',
    unit: 'name',
    about: 'node type of the first shown expression',
  },
  {
    name: 'selected_family',
    kind: 'category',
    unit: 'name',
    about: 'type family of the first shown expression',
  },
  { name: 'n_tables', kind: 'count', unit: 'tables', about: 'tables in FROM and JOIN' },
  { name: 'n_selects', kind: 'count', unit: 'queries', about: 'SELECTs of the query' },
  { name: 'n_literals', kind: 'count', unit: 'literals', about: 'literals of the query' },
  { name: 'n_columns', kind: 'count', unit: 'columns', about: 'different columns of the query' },
  { name: 'n_schema_columns', kind: 'count', unit: 'columns', about: 'columns of the database' },
] as const satisfies readonly Feature[];

export const shapeFeatures: FeatureGroup = { name: 'shape', features: SHAPE_FEATURES, open };

function open(query: ReadQuery, sources: FeatureSources): NodeReader {
  const values = [
    ...(sources.asked ? saidValues(query, sources.asked, sources) : UNASKED),
    ...builtValues(query, sources),
  ];
  return (_, into, at) => {
    for (let index = 0; index < values.length; index += 1) into[at + index] = values[index] ?? Number.NaN;
  };
}

const UNASKED: readonly number[] = new Array(17).fill(Number.NaN);

function saidValues(query: ReadQuery, asked: AskedQuestion, { schema }: FeatureSources): readonly number[] {
  const { nodes } = query.tree;
  const literals = new Set<string>();
  const calls = new Set<string>();
  for (const { flags, value, type } of nodes) {
    if (type === 'Literal') literals.add((value ?? '').toLowerCase());
    if (flags.call !== undefined) calls.add((value ?? type).toUpperCase());
  }
  const given = [...literals];
  const numbers = new Set(given.map(Number).filter(Number.isFinite));
  const bare = given.filter((literal) => literal !== '').map(barePattern);
  const used = new Set(
    [...nodeSubjects(query).usedColumns].map((id) => schema.columns.get(id)?.name.toLowerCase()),
  );
  const noText = (one: string): boolean => !bare.some((literal) => isWithin(one, literal));
  const noNumber = (one: string): boolean =>
    !numbers.has(Number(one)) && !given.some((literal) => literal.includes(one));
  const { said } = asked;
  const { hintTexts, questionTexts, hintColumns, shape } = readings(asked, schema)('', () =>
    readAsked(asked, schema),
  );
  return [
    ...shape.slice(0, 2),
    countOf(hintTexts, noText),
    countOf(said.hintNumbers, noNumber),
    countOf(questionTexts, noText),
    countOf(said.questionNumbers, noNumber),
    countOf(hintColumns, (name) => !used.has(name)),
    countOf([...said.hintCalls], (name) => !calls.has(name)),
    ...shape.slice(2),
  ];
}

/** What is the same for all candidates of a question. */
interface AskedShape {
  /** Lower case. */
  readonly hintTexts: readonly string[];
  readonly questionTexts: readonly string[];
  readonly hintColumns: readonly (string | undefined)[];
  readonly shape: readonly number[];
}

const readings = questionMemory<AskedShape>();

function readAsked({ text, said, words, hintColumns }: AskedQuestion, schema: SchemaFacts): AskedShape {
  const { cues } = words;
  const lower = (one: string): string => one.toLowerCase();
  return {
    hintTexts: said.hintTexts.map(lower),
    questionTexts: said.questionTexts.map(lower),
    hintColumns: [...new Set([...hintColumns].map((id) => schema.columns.get(id)?.name.toLowerCase()))],
    shape: [
      cues.words,
      cues.hintWords,
      Number(cues.counts),
      Number(cues.superlative),
      Number(cues.average),
      Number(cues.sum),
      Number(cues.ratio),
      Number(cues.each),
      Number(/\b(?:different|distinct|unique)\b/i.test(text)),
      Number(/^\s*(?:is|are|was|were|do|does|did|has|have|had|can)\b/i.test(text)),
      text.match(/,|\band\b/gi)?.length ?? 0,
    ],
  };
}

/** `bare`: without the wildcards at its ends. */
function isWithin(one: string, bare: string): boolean {
  return bare.length > 1 ? one.includes(bare) || bare.includes(one) : one === bare;
}

function countOf<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  return items.reduce((count, item) => count + Number(test(item)), 0);
}

function builtValues(query: ReadQuery, { schema }: FeatureSources): readonly (number | string)[] {
  const { nodes, root } = query.tree;
  const first = firstSelect(root);
  const shown = first?.children.filter(({ role }) => role === 'expressions') ?? [];
  const item = bareOf(shown[0]);
  const number = (type: string): number => countOf(nodes, (node) => node.type === type);
  return [
    shown.length,
    item?.type ?? 'none',
    (item && query.families[item.id]) ?? 'none',
    number('Table'),
    number('Select'),
    number('Literal'),
    nodeSubjects(query).usedColumns.size,
    schema.columns.size,
  ];
}

function firstSelect(root: SqlNode): SqlNode | undefined {
  let at: SqlNode | undefined = root;
  while (at !== undefined && at.type !== 'Select') at = at.children.find(({ role }) => role === 'this');
  return at;
}

function bareOf(node: SqlNode | undefined): SqlNode | undefined {
  let at = node;
  while (at?.type === 'Alias' || at?.type === 'Paren') at = at.children.find(({ role }) => role === 'this');
  return at;
}
