import type { Command } from 'commander';
import {
  type DescribeOutcome,
  type DescriptionPlan,
  describeTables,
  planDescriptions,
} from '../../../answering/prompt/describe/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { keepDescribed } from '../../../knowledge/described/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { LanguageModel } from '../../../model/index.ts';
import type { Session } from '../../../session/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  collectText,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { counted, makeProgress, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { ERROR_EXIT } from '../../terminal/io.ts';
import { dayOfWriting, findTableId } from './knowledge-sources.ts';

interface DescribeOptions extends ProjectOptions, ModelOptions, OutputOptions {
  readonly table: readonly string[];
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** `candor knowledge describe`: a model proposes what nobody has described. */
export function addKnowledgeDescribeCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('describe')
    .description(
      'Have a language model propose descriptions of tables, columns and codes that nobody has described.',
    )
    .option('--table <name>', 'this table alone; may be given again', collectText, [])
    .option('--yes', 'do not ask before the model is asked')
    .option('--dry-run', 'tell how much there is to describe and what it costs, and send nothing');
  addOutputOptions(addModelOptions(addProjectOptions(command)), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge describe --dry-run
  candor knowledge describe --table orders --yes
  candor knowledge described                      what waits for a review

What it costs is told first, and asked about at a terminal; elsewhere nothing is sent without --yes. Each table is written to
knowledge/described.yml as soon as it is described: a run that was stopped goes on where it was. Until somebody accepts
them, prompts and lists mark the texts as guesses, and people's own descriptions come before them.`,
    )
    .action((options: DescribeOptions) =>
      runCommand(context, options.output, () => runDescribe(options, context.io)),
    );
}

async function runDescribe(options: DescribeOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  return withSession(config, io, options.quiet === true, async (session) => {
    const model = (await session.models?.())?.answers;
    if (model === undefined)
      throw new CandorError('model.none', 'Descriptions are written by a language model, and there is none.');
    if (session.lake !== undefined)
      throw new CandorError(
        'knowledge.refused',
        'The tables of a lake are not described one by one; name its part with --database.',
      );
    const ids = new Set(options.table.map((name) => findTableId(name, session.catalog)));
    const plan = await planDescriptions(session, model, ids.size === 0 ? undefined : ids);
    const told = planJson(plan, model);
    if (options.dryRun === true && options.output === 'json') io.stdout.write(renderJson({ plan: told }));
    else tell(planLines(plan, model), options, io);
    if (options.dryRun === true || plan.calls.length === 0) {
      if (options.dryRun !== true && options.output === 'json')
        io.stdout.write(renderJson({ plan: told, outcome: undefined }));
      return 0;
    }
    if (!(await isWanted(options, io))) return 0;
    const outcome = await describe(plan, model, { session, config, io, options });
    if (options.output === 'json')
      io.stdout.write(renderJson({ plan: told, outcome: outcomeJson(outcome), file: FILE }));
    else io.stdout.write(`${outcomeLines(outcome).join('\n')}\n`);
    return exitCodeOf(outcome);
  });
}

const FILE = 'knowledge/described.yml';

/** Beside JSON, words go where people watch. */
function tell(lines: readonly string[], { output, quiet }: DescribeOptions, io: Io): void {
  const to = output === 'json' ? io.stderr : io.stdout;
  if (output !== 'json' || quiet !== true) to.write(`${lines.join('\n')}\n`);
}

/** Money is spent by whoever said so: at a terminal they are asked, elsewhere it takes `--yes`. */
async function isWanted({ yes }: DescribeOptions, io: Io): Promise<boolean> {
  if (yes === true) return true;
  if (io.choose === undefined)
    throw new CandorError(
      'knowledge.refused',
      'Nothing was sent: nobody can be asked here. Add --yes to have the model asked, or --dry-run to be told only.',
    );
  return (await io.choose('Ask the model?', ['yes, describe them', 'no, send nothing'])) === 0;
}

async function describe(
  { calls }: DescriptionPlan,
  model: LanguageModel,
  place: {
    readonly session: Session;
    readonly config: Config;
    readonly io: Io;
    readonly options: DescribeOptions;
  },
): Promise<DescribeOutcome> {
  const { config, io, options } = place;
  const progress = makeProgress(io.stderr, options.quiet === true);
  const run = describeTables(calls, model, {
    at: dayOfWriting(),
    signal: io.signal,
    keep: (described) => keepDescribed(config.knowledgeDirectory, described),
    onCall: ({ table, part, parts }, index) =>
      progress.report({
        stage: 'describe',
        done: index,
        total: calls.length,
        table: parts === 1 ? table.id : `${table.id} (${part} of ${parts})`,
      }),
  });
  return run.finally(progress.clear);
}

function planLines(plan: DescriptionPlan, model: LanguageModel): readonly string[] {
  const { calls, tables, columns, codes, promptTokens, replyTokens, dollars } = plan;
  if (calls.length === 0)
    return ['Everything is described, or waits for a review: candor knowledge described'];
  const what = [counted(tables, 'table'), counted(columns, 'column'), counted(codes, 'code')].join(', ');
  const cost =
    dollars === undefined ? 'its price is not known' : `about $${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
  return [
    `to be described: ${what}`,
    `${escapeControl(model.id)}${model.isPrivate ? ', told no cell' : ''}: ${counted(calls.length, 'call')}, about ${thousands(promptTokens)} tokens of prompts and ${thousands(replyTokens)} of replies, ${cost}`,
  ];
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}

function planJson(plan: DescriptionPlan, model: LanguageModel): object {
  const { calls, tables, columns, codes, promptTokens, replyTokens, dollars } = plan;
  return {
    model: model.id,
    isPrivate: model.isPrivate === true,
    calls: calls.length,
    ...{ tables, columns, codes, promptTokens, replyTokens, dollars },
  };
}

function outcomeJson({ failed, ...outcome }: DescribeOutcome): object {
  const told = failed.map(({ table, error }) => ({ table, code: error.code, message: error.message }));
  return { ...outcome, failed: told };
}

function outcomeLines(outcome: DescribeOutcome): readonly string[] {
  const { guesses, unknown, dropped, failed, left, promptTokens, replyTokens, dollars } = outcome;
  const spent = dollars === undefined ? '' : `, $${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
  return [
    `${counted(guesses, 'description')} written to ${FILE}; ${unknown} not known to the model`,
    ...(dropped === 0 ? [] : [`${counted(dropped, 'statement')} about what is not there dropped`]),
    `${thousands(promptTokens)} tokens of prompts and ${thousands(replyTokens)} of replies${spent}`,
    ...failed.map(({ table, error }) => escapeControl(`failed: ${table}: ${error.message} (${error.code})`)),
    ...(left === 0 ? [] : [`stopped after failures in a row; ${counted(left, 'call')} not made`]),
    ...(failed.length === 0 ? [] : ['run the same command again: it goes on with what is left']),
    ...(guesses === 0 ? [] : ['review them: candor knowledge described']),
  ];
}

/** That of the first failure; what succeeded is kept all the same. */
function exitCodeOf({ failed: [first] }: DescribeOutcome): number {
  return first === undefined ? 0 : ERROR_EXIT[first.error.kind];
}
