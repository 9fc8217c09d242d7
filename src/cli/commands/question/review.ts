import type { Command } from 'commander';
import {
  DEFAULT_TARGET_RISK,
  type Review,
  reviewQuery,
  saveCorrection,
} from '../../../answering/review/index.ts';
import { CandorError } from '../../../errors.ts';
import { readEdits } from '../../../knowledge/authored/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  type OutputOptions,
  type ProjectOptions,
  parseShare,
  readCommandConfig,
} from '../../context/options.ts';
import { readQueryText } from '../../context/read-query-text.ts';
import { withSession } from '../../context/with-session.ts';
import { counted, renderJson, renderReviewCard } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface ReviewCommandOptions extends ProjectOptions, OutputOptions {
  readonly question?: string;
  readonly hint?: string;
  readonly writer?: string;
  readonly targetRisk?: number;
  readonly repair?: boolean;
  readonly corrected?: string;
  readonly edits?: boolean;
  readonly property: SessionProperties;
}

/** `candor review`: how likely each part of any query is wrong; nothing is run. */
export function defineReviewCommand(command: Command, context: CommandContext): void {
  command
    .argument('[sql]', 'the query, whoever wrote it; - reads it from standard input')
    .option('--question <text>', 'the question it should answer')
    .option(
      '--hint <text>',
      'what the question does not say itself: definitions, formulas, meanings of codes',
    )
    .option(
      '--writer <id>',
      'the model that wrote it, as candor train risk names it: its labels move the risk (default: the labelled model that is wrong most often)',
    )
    .option(
      '--target-risk <share>',
      `share of answers that may be wrong (default: targetRisk of candor.yml, else ${DEFAULT_TARGET_RISK})`,
      parseShare,
    )
    .option('--repair', 'offer a repair where rules know one: a misspelled name or value')
    .option(
      '--corrected <sql>',
      'store what the query should have been in knowledge/edits.jsonl; needs --question',
    )
    .option('--edits', 'list the corrections that are stored');
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor review "SELECT name FROM customers WHERE city = 'lyon'" --question "who lives in Lyon?"
  candor review --repair "SELECT nmae FROM customers"
  candor review - --output json < report.sql
  candor review "SELECT COUNT(*) FROM orders" --question "how many customers?" --corrected "SELECT COUNT(*) FROM customers"

A part from 30 % is marked ~ (amber), one from 60 % ^ (red). Exit code ${OUTCOME_EXIT.abstain}: it would not run, or
is too likely wrong for the target that was named; ${OUTCOME_EXIT.reject}: it would do more than read.`,
    )
    .action((sql: string | undefined, options: ReviewCommandOptions) =>
      runCommand(context, options.output, () => runReview(sql, options, context.io)),
    );
}

async function runReview(given: string | undefined, options: ReviewCommandOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options, options.property);
  if (options.edits === true) return listEdits(config.knowledgeDirectory, options, io);
  const sql = await readQueryText(given, io);
  return withSession(config, io, options.quiet === true, async (session) => {
    if (options.corrected !== undefined) return store(sql, options.corrected, session, { options, io });
    const targetRisk = options.targetRisk ?? config.targetRisk;
    const review = await reviewQuery(sql, session, {
      ...(options.question !== undefined && { question: options.question }),
      ...(options.hint !== undefined && { hint: options.hint }),
      ...(options.writer !== undefined && { writer: options.writer }),
      ...(targetRisk !== undefined && { targetRisk }),
      repair: options.repair === true,
      signal: io.signal,
    });
    print(review, session, options, io);
    return exitOf(review, targetRisk !== undefined);
  });
}

async function store(
  sql: string,
  corrected: string,
  session: Session,
  { options: { question, hint, output }, io }: { readonly options: ReviewCommandOptions; readonly io: Io },
): Promise<number> {
  if (question === undefined || question.trim() === '')
    throw new CandorError('review.refused', 'Not stored: --corrected needs the --question it is about.');
  const { schema } = await session.scoring();
  const at = session.wallClock();
  const edit = { question, ...(hint !== undefined && { hint }), sql, corrected, at };
  const { file, isNew } = await saveCorrection(edit, session, schema);
  const said = isNew ? `added to ${file}` : `it is in ${file} already`;
  io.stdout.write(output === 'json' ? renderJson({ file, isNew }) : `${said}\n`);
  return 0;
}

async function listEdits(directory: string, { output }: ReviewCommandOptions, io: Io): Promise<number> {
  const edits = await readEdits(directory);
  if (output === 'json') {
    io.stdout.write(renderJson(edits));
    return 0;
  }
  for (const { place, question, sql, corrected } of edits) {
    const lines = [`${place}  ${question}`, `  was     ${flat(sql)}`, `  is now  ${flat(corrected)}`];
    io.stdout.write(`${lines.map(escapeControl).join('\n')}\n`);
  }
  io.stdout.write(`${counted(edits.length, 'correction')}\n`);
  return 0;
}

function flat(sql: string): string {
  return sql.replace(/\s+/g, ' ');
}

function print(review: Review, session: Session, options: ReviewCommandOptions, io: Io): void {
  if (options.output === 'json') {
    io.stdout.write(renderJson(review));
    return;
  }
  const { dialect } = session.catalog;
  const isRepairAsked = options.repair === true;
  io.stdout.write(renderReviewCard(review, { style: styleFor(io, io.stdout), dialect }, { isRepairAsked }));
}

/** As an outcome of that kind ends. Who named no target asked for the review alone: then only what cannot run fails. */
function exitOf({ assessment, decision, repair, unsafe }: Review, hasTarget: boolean): number {
  if (unsafe !== undefined) return OUTCOME_EXIT.reject;
  const [risk, { action }] =
    repair?.verdict.isAccepted === true
      ? [repair.assessment.queryRisk, repair.decision]
      : [assessment.queryRisk, decision];
  return action === 'abstain' && (hasTarget || risk === 1) ? OUTCOME_EXIT.abstain : 0;
}
