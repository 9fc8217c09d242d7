/** Which words of the question, the hint and the schema's descriptions support a node. */

import type { ReadQuery } from '../../faults/index.ts';
import type { SqlNode } from '../../sql/index.ts';
import type { AskedQuestion } from './asked-question.ts';
import type { Feature, FeatureGroup, NodeReader } from './feature.ts';
import type { FeatureSources } from './feature-sources.ts';
import { cueReader, directionFit } from './grounding/cues.ts';
import { groundLiteral } from './grounding/ground-literal.ts';
import { groundName } from './grounding/ground-name.ts';
import { nodeSubjects } from './node-subjects.ts';
import { questionMemory } from './question-memory.ts';
import { unknownRow } from './unknown-row.ts';

const GROUNDING_FEATURES = [
  {
    name: 'name_in_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the column or table name that the question has',
    tell: (value) => (value === 0 ? 'no word of its name stands in the question' : undefined),
  },
  {
    name: 'name_meant_by_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the name that the question has, or means by another word',
  },
  {
    name: 'name_in_hint',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the column or table name that the hint has',
  },
  {
    name: 'name_written_in_hint',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the hint writes the name as the schema does',
    tell: (value) => (value === 1 ? 'the hint writes its name' : undefined),
  },
  {
    name: 'description_in_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the question that the description of the column or table has',
  },
  {
    name: 'literal_in_question',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal stands in the question',
    tell: (value) => (value === 0 ? 'the question does not say this value' : undefined),
  },
  {
    name: 'literal_in_hint',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal stands in the hint',
    tell: (value) => (value === 1 ? 'the hint has this value' : undefined),
  },
  {
    name: 'literal_quoted_in_hint',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal is a quoted text or a number of the hint',
  },
  {
    name: 'literal_in_description',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the description of the compared column has the literal',
    tell: (value) => (value === 1 ? 'the description of its column has this value' : undefined),
  },
  {
    name: 'literal_words_said',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the literal that the question or the hint has',
  },
  {
    name: 'literal_of_longer',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the literal is a part of a longer name that the question or the hint has',
    tell: (value) => (value === 1 ? 'it is only a part of what the question names' : undefined),
  },
  {
    name: 'literal_pair_in_hint',
    kind: 'number',
    unit: '1 same, −1 another, 0 none',
    about: 'the hint gives a value for the compared column',
    tell: (value) => (value === -1 ? 'the hint gives another value for this column' : undefined),
  },
  {
    name: 'call_in_hint',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the hint writes a call of this function',
    tell: (value) => (value === 1 ? 'the hint has this function' : undefined),
  },
  {
    name: 'cue_in_question',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a word of the question asks for this operation: average, more than, different, highest',
    tell: (value) => (value === 0 ? 'no word of the question asks for it' : undefined),
  },
  {
    name: 'direction_fits',
    kind: 'number',
    unit: '1 fits, −1 contradicts, 0 unclear',
    about: 'the direction of sorting beside words such as highest and lowest',
    tell: (value) => (value === -1 ? 'the question asks for the other direction' : undefined),
  },
] as const satisfies readonly Feature[];

export const groundingFeatures: FeatureGroup = { name: 'grounding', features: GROUNDING_FEATURES, open };

const groundedNames = questionMemory<Float64Array>();
const WIDTH = GROUNDING_FEATURES.length;
const NAMES = 0;
const LITERALS = 5;
const CALLS = 12;

function open(query: ReadQuery, { asked, schema }: FeatureSources): NodeReader {
  if (asked === undefined) return unknownRow(WIDTH);
  const question: AskedQuestion = asked;
  const subjects = nodeSubjects(query);
  const names = groundedNames(question, schema);
  const cueOf = cueReader(question);
  return (node, into, at) => {
    for (let index = 0; index < WIDTH; index += 1) into[at + index] = Number.NaN;
    if (node.type === 'Literal') {
      const column = schema.columns.get(subjects.compared[node.id] ?? '');
      copy(groundLiteral(node, column, question), into, at + LITERALS);
    }
    const name = nameOf(node);
    if (name !== undefined) copy(groundedName(node, name), into, at + NAMES);
    // A number in `LIMIT 1` and `* 100` stands or falls with what is around it.
    const cue = cueOf(node.type === 'Literal' ? (node.parent ?? node) : node);
    into[at + CALLS] = cue.inHint;
    into[at + CALLS + 1] = cue.inQuestion;
    into[at + CALLS + 2] = directionFit(node, question);
  };

  function groundedName(node: SqlNode, name: string): Float64Array {
    const id = subjects.columns[node.id] ?? subjects.tables[node.id] ?? `?${name}`;
    return names(id, () => {
      // An alias of a table is grounded by the name of the table.
      const item = schema.columns.get(id) ?? schema.tables.get(id);
      return groundName(item?.name ?? name, item, question);
    });
  }
}

function copy(values: ArrayLike<number>, into: (number | string)[], at: number): void {
  for (let index = 0; index < values.length; index += 1) into[at + index] = values[index] ?? Number.NaN;
}

function nameOf(node: SqlNode): string | undefined {
  if (node.type === 'Identifier') return node.value;
  if (node.type !== 'Column' && node.type !== 'Table') return undefined;
  return node.children.find(({ role }) => role === 'this')?.value;
}
