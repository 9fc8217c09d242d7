/** Writes docs/guides/one-question.md: one question of the demo, and the values that pass from stage to stage. */
import { rm } from 'node:fs/promises';
import { makeMotorsProject } from '../test/e2e/cli/make-motors-project.ts';
import { runCandor } from '../test/e2e/cli/run-candor.ts';

const QUESTION = 'delivered orders per region in 2023, best first';
const SHOWN_ITEMS = 8;

/** The page, by commands that everybody can run. */
export async function renderQuestion(): Promise<string> {
  const folder = await makeMotorsProject('one-question');
  try {
    const explained = await run(folder, 'explain', '--output', 'json', QUESTION);
    const linked = await run(folder, 'link', '--output', 'json', QUESTION);
    const answered = await run(folder, 'ask', '--output', 'json', QUESTION);
    return page(explained as Explained, linked as Linked, answered as Answered);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(folder: string, ...argv: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCandor(argv, folder);
  if (code !== 0) throw new Error(`candor ${argv.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

interface Explained {
  readonly mentions: readonly { readonly text: string; readonly meaning: string }[];
  readonly unexplained: readonly string[];
  readonly readings: readonly [
    {
      readonly sql: string;
      readonly probability: number;
      readonly explanation: string;
      readonly parts: readonly { readonly sql: string; readonly because: string }[];
    },
    ...unknown[],
  ];
}

interface Linked {
  readonly linked: {
    readonly mode: string;
    readonly why: readonly string[];
    readonly items: readonly {
      readonly id: string;
      readonly tier: string;
      readonly because: readonly { readonly text: string }[];
    }[];
  };
}

interface Answered {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly detail?: string }[];
  readonly risk: { readonly queryRisk: number; readonly action: string; readonly units: readonly unknown[] };
  readonly words: readonly {
    readonly text: string;
    readonly role: string;
    readonly claim: { readonly kind: string; readonly why: string };
  }[];
}

function page({ mentions, unexplained, readings }: Explained, { linked }: Linked, answer: Answered): string {
  const [reading] = readings;
  const relevant = linked.items.filter(({ tier }) => tier === 'relevant').slice(0, SHOWN_ITEMS);
  return `${[
    '<!-- Written by scripts/generate-docs.ts from the demo; change the source, then run it again. -->',
    '# One question, from words to rows',
    `What passes from stage to stage when the demo (with a fiftieth of its rows) is asked “${QUESTION}” and no model helps. Each stage says which command shows it
for a question of yours, and where its code begins.`,
    '## 1. Words',
    `The question is covered by spans, each taken for something: a word of structure, a table, a column, a value, a metric. \`candor explain\`; \`src/reasoning/grounded/\`.`,
    table(
      ['words', 'taken for'],
      mentions.map(({ text, meaning }) => [text, meaning]),
    ),
    `Words that nothing explains: ${unexplained.length === 0 ? 'none' : unexplained.join(', ')}. With some, an answer is less likely, or refused.`,
    '## 2. The part of the schema',
    `${sentence(linked.why.join('; '))} The mode is therefore \`${linked.mode}\`; a large schema would be cut to items like these. \`candor link\`; \`src/linking/link-schema.ts\`.`,
    table(
      ['table or column', 'because'],
      relevant.map(({ id, because }) => [`\`${id}\``, because.map(({ text }) => text).join('; ')]),
    ),
    '## 3. Readings',
    `The likeliest of ${readings.length}, ${percent(reading.probability)} sure: “${reading.explanation}”. Every part of the query has its cause. \`candor explain --output json\`; \`src/reasoning/grounded/\`, with a model \`src/answering/answer-with-model.ts\`.`,
    `\`\`\`sql\n${broken(reading.sql)}\n\`\`\``,
    table(['part', 'because of'], unique(reading.parts.map(({ sql, because }) => [`\`${sql}\``, because]))),
    '## 4. Checks',
    `Before it runs and while it does: ${answer.checks.map(({ name, passed, detail }) => `${name} ${passed ? '✓' : '✗'}${detail === undefined ? '' : ` (${detail})`}`).join(', ')}. \`src/database/guard/guard.ts\`, \`src/validation/\`.`,
    '## 5. Rows',
    table(
      answer.columns,
      answer.rows.map((row) => row.map(String)),
    ),
    '## 6. What became of each word',
    'The other way round: for every word of the question, what of the query stands for it. A word without a place would be told on the answer.',
    table(
      ['word', 'role', 'where it went'],
      answer.words.map(({ text, role, claim }) => [text, role, claim.why]),
    ),
    '## 7. Risk and outcome',
    `The chance that the answer is not what was asked is put at ${percent(answer.risk.queryRisk)}, ${answer.risk.units.length === 0 ? 'and no part stands out' : `and ${answer.risk.units.length} parts stand out`}; below the target that you may set, so that the outcome is \`${answer.kind}\`. What was asked, read and run is kept: \`candor replay\` runs it again. \`src/answering/assess/assess-risk.ts\`, \`src/answering/answer/build-answer.ts\`, \`src/answering/answer/answer-records.ts\`.`,
  ].join('\n\n')}\n`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function unique(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(rows.map((row) => [row.join('\n'), row])).values()];
}

function broken(sql: string): string {
  return sql.replace(/ (?=(?:FROM|JOIN|WHERE|AND|GROUP BY|ORDER BY) )/g, '\n');
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
