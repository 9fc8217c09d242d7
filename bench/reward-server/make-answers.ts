/** Outputs as a model in training writes them: for the verified pairs of Motors, and for questions that ask back. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScoreItem } from '../../src/lab/reward/index.ts';

const PAIRS = fileURLToPath(new URL('../../examples/motors/examples/', import.meta.url));

const THOUGHT =
  'The question names a metric and a period. The metric is defined over the orders that are not deleted, the period ' +
  'by the day of signing. The grouping follows from the words after "by"; names come from the dimension tables. ';

/** Gold in words, and what a model says in its place, from the same words to another matter. */
const WORDS: readonly (readonly [category: ScoreItem['category'], gold: string, said: readonly string[]])[] =
  [
    [
      'ambiguity',
      'Which period do you mean by lately?',
      ['Which period do you mean by lately?', 'Which period is meant by lately?', 'Which brand do you mean?'],
    ],
    [
      'follow_up',
      'For which series do you want the target attainment?',
      ['For which series do you want the target attainment?', 'For which series?', 'Which year?'],
    ],
    [
      'dim_reject',
      'There is no field for the colour of a car.',
      [
        'There is no field for the colour of a car.',
        'The colour of a car is not recorded.',
        'Please name a year.',
      ],
    ],
    [
      'metric_reject',
      'The metric hot leads is not defined.',
      ['The metric hot leads is not defined.', 'Hot leads are not defined.', 'SELECT COUNT(*) FROM leads'],
    ],
  ];

/** As many as wanted, kinds mixed: of seven, five to a gold in SQL, two to one in words. */
export async function makeAnswers(count: number): Promise<readonly ScoreItem[]> {
  const golds = await readGolds();
  const answers = Array.from({ length: count }, (_, at) =>
    at % 7 < 5 ? sqlAnswer(at, golds) : wordsAnswer(at),
  );
  return answers.map((item, id) => ({ id, ...item }));
}

async function readGolds(): Promise<readonly string[]> {
  const names = (await readdir(PAIRS)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(PAIRS, name), 'utf8')));
  // The question and what was said of it stand above, as comments.
  return texts.map((text) =>
    text
      .replace(/^--.*$/gm, '')
      .trim()
      .replace(/;$/, ''),
  );
}

function sqlAnswer(at: number, golds: readonly string[]): ScoreItem {
  const gold = golds[at % golds.length] ?? '';
  const answer = variantsOf(gold, at)[Math.floor(at / golds.length) % 6] ?? '';
  const category = at % 3 === 0 ? 'multi_step' : at % 3 === 1 ? 'standard' : 'reflection';
  return {
    category,
    goldKind: 'sql',
    gold,
    output: say(answer, at),
    lengthTokens: 200 + ((at * 37) % 2_200),
  };
}

/** Right as written, right in other words, too few rows, a column too many, a wrong name, words. */
function variantsOf(gold: string, at: number): readonly string[] {
  return [
    gold,
    `SELECT * FROM (\n${gold}\n) AS answer`,
    `SELECT * FROM (\n${gold}\n) AS answer LIMIT ${1 + (at % 3)}`,
    `SELECT answer.*, ${at} AS number FROM (\n${gold}\n) AS answer`,
    gold.replace(/\bFROM (\w)/, 'FROM the_$1'),
    'Which period do you mean?',
  ];
}

function wordsAnswer(at: number): ScoreItem {
  const [category, gold, said] = WORDS[at % WORDS.length] ?? WORDS[0]!;
  const variant = Math.floor(at / WORDS.length) % said.length;
  // Sentences in other words are each written once: a cache of embeddings is no help.
  const text = variant === 1 ? `${said[variant]} (${at})` : (said[variant] ?? '');
  return { category, goldKind: 'nl', gold, output: say(text, at) };
}

/** The SQL that an output answers with; undefined for words. */
export function sqlOf({ output }: ScoreItem): string | undefined {
  const answer = /<answer>([\s\S]*)<\/answer>$/.exec(output)?.[1] ?? '';
  return /^(?:SELECT|WITH)\b/.test(answer) ? answer : undefined;
}

function say(answer: string, at: number): string {
  return `<think>${THOUGHT.repeat(1 + (at % 4))}</think>\n<answer>${answer}</answer>`;
}
