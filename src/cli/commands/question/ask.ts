import { type Command, Option } from 'commander';
import type { Answer } from '../../../answer.ts';
import { type AskOptions as AskingOptions, answerClarification, ask } from '../../../answering/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { ANSWER_MODE_NAMES, type AnswerMode } from '../../../generation/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  collectChoice,
  collectText,
  type ModelOptions,
  noonOf,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  parseDay,
  parseShare,
  readCommandConfig,
} from '../../context/options.ts';
import { cardLayout, withSession } from '../../context/with-session.ts';
import { makeProgress, renderAnswer, renderCsv, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface AskOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly mode?: AnswerMode;
  readonly tests?: boolean;
  readonly after: readonly string[];
  readonly answer?: string;
  readonly afterClarify?: string;
  readonly assume: Readonly<Record<string, string>>;
  readonly sqlOnly?: boolean;
  readonly execute: boolean;
  readonly limit?: number;
  readonly hint?: string;
  readonly today?: string;
  readonly targetRisk?: number;
  readonly property: SessionProperties;
}

/** Rows a card shows when `--limit` does not say. */
const DEFAULT_SHOWN_ROWS = 50;
/** Those that may take long when a model is asked. */
const SHOWN_STAGES: ReadonlySet<string> = new Set(['link schema', 'write', 'select', 'score', 'execute']);

/** `candor ask`: a question in plain words to an answer, a question back or a refusal. */
export function defineAskCommand(command: Command, context: CommandContext): void {
  command
    .argument('[question...]', 'the question; quote it where your shell gives a sign a meaning of its own')
    .option(
      '--after <question>',
      'an earlier question that this one goes on from; may be given again',
      collectText,
      [],
    )
    .option(
      '--answer <words>',
      'answers the question back of --after-clarify: a number, a label, words of your own, any, or all',
    )
    .option('--after-clarify <record>', 'the record of the question back that --answer answers')
    .option(
      '--assume <id=choice>',
      'take a default otherwise, by the names that an answer prints under “assumed”; may be given again',
      collectChoice,
      {},
    )
    .option('--sql-only', 'print only the SQL; nothing is run')
    .option('--no-execute', 'write and check the SQL without running it')
    .option(
      '--limit <n>',
      `rows at most (default: ${DEFAULT_SHOWN_ROWS} shown in a table, limits.rows kept)`,
      parseCount,
    )
    .option(
      '--target-risk <share>',
      'share of answers that may be wrong: what is likelier wrong is warned of or withheld (default: targetRisk of candor.yml)',
      parseShare,
    )
    .option(
      '--hint <text>',
      'what the question does not say itself: definitions, formulas, meanings of codes',
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'with a model: fast draws one query; careful draws three, researches, revises and lets them vote; no-execution runs nothing',
      ).choices([...ANSWER_MODE_NAMES]),
    )
    .option('--tests', 'with a model: tests are written before any query, and each candidate is held to them')
    .option('--today <day>', 'the day that "today" and "this year" refer to, YYYY-MM-DD', parseDay);
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json', 'csv']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor ask "how many orders per month in 2024?"
  candor ask --database sqlite:shop.db "top 5 customers by number of orders"
  candor ask --sql-only "orders without a customer"       only the SQL, for a script
  candor ask "only 2024" --after "how many orders per month?"   goes on from an earlier question
  candor ask --answer 2 --after-clarify 20241001-1200   answers a question back, by the id of its record
  candor ask "revenue by region" --assume time=all        another default than the one that was taken
  candor ask --output csv "orders by city" > orders.csv   rows as they are stored, RFC 4180
  candor ask --model openai:gpt-4.1 --mode careful "revenue against target by region"   a model writes, everything is checked
  candor ask --model gguf:small.gguf --private "orders by city"   a local model, told no cell

On stdout: the answer. On stderr: progress. The exit code tells the outcome, see candor --help.`,
    )
    .action((words: string[], options: AskOptions) =>
      runCommand(context, options.output, () => runAsk(words.join(' '), options, context.io)),
    );
}

async function runAsk(question: string, options: AskOptions, io: Io): Promise<number> {
  if ((options.answer === undefined) !== (options.afterClarify === undefined))
    throw new CandorError('question.not-asked', 'Give --answer and --after-clarify together.');
  if (options.answer === undefined && question === '')
    throw new CandorError('question.empty', 'There is no question to answer.');
  if (options.answer !== undefined && question !== '')
    throw new CandorError('question.not-asked', 'An answer comes without a question of its own.');
  const config = withLimit(await readCommandConfig(io, options, options.property), options.limit);
  if (config.model === undefined && (options.mode !== undefined || options.tests))
    throw new CandorError(
      'model.none',
      'There is no model to choose a mode for: the built-in engine answers.',
    );
  return withSession(config, io, options.quiet === true, async (session) => {
    const answer = await askRounds(question, session, options, io);
    return OUTCOME_EXIT[answer.kind];
  });
}

/** Asks and prints; where a person can pick one of the options, asks again with it. */
async function askRounds(question: string, session: Session, options: AskOptions, io: Io): Promise<Answer> {
  // The built-in engine answers before a line could be read.
  const progress = makeProgress(io.stderr, options.quiet === true || session.models === undefined);
  const { answer: reply, afterClarify } = options;
  const start =
    reply === undefined || afterClarify === undefined
      ? undefined
      : (asking: AskingOptions) => answerClarification(afterClarify, reply, session, asking);
  for (let round = 0, asked = question, begin = start; ; round++) {
    const asking: AskingOptions = {
      execute: options.execute && options.sqlOnly !== true,
      ...(options.mode === undefined ? {} : { mode: options.mode }),
      ...(options.tests === undefined ? {} : { tests: options.tests }),
      ...(options.hint === undefined ? {} : { hint: options.hint }),
      ...(begin === undefined && { after: options.after, merged: { rounds: round } }),
      ...(Object.keys(options.assume).length === 0 ? {} : { assume: options.assume }),
      ...(options.targetRisk === undefined ? {} : { targetRisk: options.targetRisk }),
      ...(options.today === undefined ? {} : { now: noonOf(options.today) }),
      onProgress: (stage) => {
        if (SHOWN_STAGES.has(stage)) progress.report({ stage, done: 0, total: 0 });
      },
      signal: io.signal,
    };
    const answer = await (begin?.(asking) ?? ask(asked, session, asking)).finally(progress.clear);
    begin = undefined;
    print(answer, session, options, io);
    if (answer.kind !== 'clarify' && answer.kind !== 'follow_up') return answer;
    if (io.choose === undefined || options.output !== 'table' || options.sqlOnly) return answer;
    const picked = await io.choose(
      escapeControl(answer.ask),
      answer.options.map(({ label }) => escapeControl(label)),
    );
    const option = picked === undefined ? undefined : answer.options[picked];
    if (option === undefined) return answer;
    asked = option.question;
  }
}

function print(answer: Answer, session: Session, options: AskOptions, io: Io): void {
  if (options.output === 'json') {
    io.stdout.write(renderJson(answer));
    return;
  }
  if (answer.kind === 'answered' && options.sqlOnly) {
    io.stdout.write(`${answer.sql}\n`);
    return;
  }
  if (answer.kind === 'answered' && options.output === 'csv') {
    io.stdout.write(renderCsv(answer.columns, answer.rows));
    if (answer.truncatedBy !== null && !options.quiet)
      io.stderr.write(`cut at the limit of ${answer.truncatedBy} after ${answer.rows.length} rows\n`);
    if (!options.quiet) for (const { text } of answer.notices ?? []) io.stderr.write(`${text}\n`);
    return;
  }
  // A script that wants rows or SQL must not take a question back for data.
  const output = options.output === 'csv' || options.sqlOnly ? io.stderr : io.stdout;
  const size = { maxRows: options.limit ?? DEFAULT_SHOWN_ROWS, isExecuted: options.execute };
  output.write(renderAnswer(answer, cardLayout(session, io, output, options, size)));
}

/** A smaller `--limit` keeps the engine from sending more; a larger one never lifts the project's bound. */
function withLimit(config: Config, limit: number | undefined): Config {
  if (limit === undefined) return config;
  return { ...config, limits: { ...config.limits, rows: Math.min(limit, config.limits.rows) } };
}
