/**
 * What a language model makes of sixty questions over a messy company, with its project or of the database alone, inside Candor or with
 * everything pasted into one prompt; scored by the set's own script. URL, key and window of the model come from the nearest
 * `candor.yml`. Replies can be kept and given back, so that a run can be repeated and goes on where it stopped.
 * With `--pairs` twenty questions that a verified pair answers in other words, and twenty that one only looks like answering, are asked instead.
 * `npx tsx bench/ferrum.ts --model NAME [--arm plain] [--bare | --pairs] [--record DIR | --replay DIR] [--out FILE] [--smoke] [--output json]`
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Answer } from '../src/answer.ts';
import { ask } from '../src/answering/index.ts';
import { readConfig, readGivenModel, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { askPlainly } from '../src/lab/evaluation/ask-plainly.ts';
import { isMarked } from '../src/lab/evaluation/evaluate-case.ts';
import { runSeveral } from '../src/lab/evaluation/runs/run-recorded.ts';
import { wilsonInterval } from '../src/lab/metrics/intervals.ts';
import { openSession } from '../src/session/project/open-session.ts';
import type { Session } from '../src/session/project/session.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { printReport } from './print-report.ts';

const QUESTION = z.object({
  id: z.string(),
  question: z.string(),
  today: z.string().default('2025-10-01'),
  /** The file of the verified pair that asks the same; null: none does. */
  pair: z.string().nullish(),
});
type Question = z.infer<typeof QUESTION>;

const options = orEnd(() => {
  const { values } = parseArgs({
    options: {
      model: { type: 'string', default: 'none' },
      arm: { type: 'string', default: 'candor' },
      bare: { type: 'boolean', default: false },
      pairs: { type: 'boolean', default: false },
      record: { type: 'string' },
      replay: { type: 'string' },
      out: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
    },
  });
  if (values.arm !== 'candor' && values.arm !== 'plain')
    throw new RangeError(`--arm is candor or plain, not ${values.arm}`);
  if (values.arm === 'plain' && values.model === 'none') throw new RangeError('--arm plain needs --model');
  return { ...values, output: readOutput(values.output) };
});

const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
const source = join(data, 'ferrum');
const PAIRS = join(import.meta.dirname, '..', 'test', 'fixtures', 'questions', 'ferrum-pairs.jsonl');
if (!existsSync(source)) {
  process.stderr.write(`ferrum: the set is missing; it is expected at ${source}\n`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'candor-ferrum-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const database = join(folder, 'ferrum.sqlite');
  execFileSync('python3', [join(source, 'make_database.py'), database]);
  const session = await open(database);
  const asked = options.pairs ? PAIRS : join(source, 'questions.jsonl');
  const questions = readFileSync(asked, 'utf8')
    .trim()
    .split('\n')
    .map((line) => QUESTION.parse(JSON.parse(line)))
    .slice(0, options.smoke ? 4 : undefined);
  const answers = await askAll(questions, session).finally(() => session.close());
  const file = options.out === undefined ? join(folder, 'answers.jsonl') : resolve(options.out);
  writeFileSync(file, answers.map(({ line }) => `${JSON.stringify(line)}\n`).join(''));
  if (options.pairs) reportPairs(questions, answers);
  else report(questions, answers, score(database, file));
}

async function open(database: string): Promise<Session> {
  const project = join(folder, 'project');
  if (!options.bare) cpSync(join(source, 'project'), project, { recursive: true });
  const config = await readConfig({ cwd: options.bare ? folder : project, database: `sqlite:${database}` });
  const model = await readGivenModel({ cwd: process.cwd(), model: options.model });
  const { model: _, ...own } = config;
  const { record, replay } = options;
  const recording = {
    ...(record !== undefined && { record: resolve(record) }),
    ...(replay !== undefined && { replay: resolve(replay) }),
  };
  return openSession({ ...own, ...(model !== undefined && { model: { ...model, ...recording } }) });
}

interface Scored {
  /** As the script of the set reads it. */
  readonly line: Readonly<Record<string, unknown>>;
  readonly answer?: Answer;
}

async function askAll(questions: readonly Question[], session: Session): Promise<readonly Scored[]> {
  const scored = new Map<string, Scored>();
  const waiting = [...questions];
  const { requestsAtOnce = 1 } = session.config.model ?? {};
  await runSeveral(
    requestsAtOnce,
    () => waiting.shift(),
    async (question) => {
      scored.set(question.id, await askOne(question, session));
      process.stderr.write(`\r${scored.size} of ${questions.length}`);
    },
  );
  process.stderr.write('\n');
  return questions.flatMap(({ id }) => scored.get(id) ?? []);
}

async function askOne({ id, question, today }: Question, session: Session): Promise<Scored> {
  const now = new Date(`${today}T12:00:00Z`);
  try {
    const answer =
      options.arm === 'plain'
        ? await askPlainly(question, session, { now })
        : await ask(question, session, { now, record: false, related: false });
    return { line: { id, outcome: answer.kind, ...saidBy(answer) }, answer };
  } catch (error) {
    if (!(error instanceof CandorError) || error.kind === 'bug') throw error;
    return { line: { id, outcome: 'abstain', text: '', failed: error.code } };
  }
}

function saidBy(answer: Answer): Readonly<Record<string, unknown>> {
  switch (answer.kind) {
    case 'answered':
      return { sql: answer.sql };
    case 'reject':
      return { text: answer.message };
    case 'abstain':
      return { text: answer.reason };
    default:
      return { text: answer.ask };
  }
}

/** The verdict of each question, by the script beside the questions. */
function score(database: string, file: string): ReadonlyMap<string, string> {
  const argv = [join(source, 'score.py'), database, file, '-v', ...(options.bare ? ['--bare'] : [])];
  const text = execFileSync('python3', argv, { encoding: 'utf8' });
  const outcome = '(?:answered|clarify|follow_up|reject|abstain|help|missing) ';
  const verdicts = text.matchAll(new RegExp(`^(m\\d+) (\\S.*?) +${outcome}`, 'gm'));
  return new Map([...verdicts].map(([, id = '', verdict = '']) => [id, verdict]));
}

function reportPairs(questions: readonly Question[], answers: readonly Scored[]): void {
  const rows = questions.map(({ question, pair }, at) => {
    const { answer } = answers[at] ?? {};
    const by = answer?.kind === 'answered' ? answer.verified?.place : undefined;
    return { question, pair: pair ?? '–', answeredBy: by ?? '–' };
  });
  const same = rows.filter(({ pair }) => pair !== '–');
  const near = rows.filter(({ pair }) => pair === '–');
  printReport(
    {
      bench: 'ferrum',
      about: `questions like verified pairs, ${options.model}, ${options.arm}`,
      rows: rows.filter(({ pair, answeredBy }) => pair !== answeredBy),
      figures: {
        same: same.length,
        sameByTheirPair: same.filter(({ pair, answeredBy }) => pair === answeredBy).length,
        near: near.length,
        nearByAPair: near.filter(({ answeredBy }) => answeredBy !== '–').length,
      },
    },
    { output: options.output, isSmoke: options.smoke },
  );
}

function report(
  questions: readonly Question[],
  answers: readonly Scored[],
  verdicts: ReadonlyMap<string, string>,
): void {
  const verdictOf = ({ line }: Scored): string => verdicts.get(String(line.id)) ?? 'missing';
  const wrong = answers.filter((one) => ['wrong', 'forced'].includes(verdictOf(one)));
  const bare = wrong.filter(({ answer }) => answer?.kind === 'answered' && !isMarked(answer));
  const uses = answers.flatMap(({ answer }) => answer?.model ?? []);
  const right = answers.filter((one) => verdictOf(one) === 'right').length;
  const { low, high } = wilsonInterval(right, questions.length);
  const counts = new Map<string, number>();
  for (const one of answers) counts.set(verdictOf(one), (counts.get(verdictOf(one)) ?? 0) + 1);
  const mean = (of: (use: (typeof uses)[number]) => number): number =>
    uses.length === 0 ? 0 : uses.reduce((sum, use) => sum + of(use), 0) / questions.length;
  const others = answers.filter((one) => verdictOf(one) !== 'right');
  for (const one of others)
    process.stdout.write(`${one.line.id} ${verdictOf(one)} (${one.line.failed ?? one.line.outcome})\n`);
  printReport(
    {
      bench: 'ferrum',
      about: `${questions.length} questions, ${options.bare ? 'the database alone' : 'with the project'}, ${options.model}, ${options.arm}`,
      rows: [...counts].map(([verdict, count]) => ({ verdict, count })),
      figures: {
        right,
        rightLowPercent: 100 * low,
        rightHighPercent: 100 * high,
        wrongWithoutMark: bare.length,
        notRecorded: answers.filter(({ line }) => line.failed === 'model.not-recorded').length,
        callsPerQuestion: mean(({ calls }) => calls),
        promptTokensPerQuestion: mean(({ promptTokens }) => promptTokens),
      },
    },
    { output: options.output, isSmoke: options.smoke },
  );
}
