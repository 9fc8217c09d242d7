import type { Command } from 'commander';
import { type Fix, fixQuery, runSql, type SqlOutcome } from '../../../answering/index.ts';
import { mendWithModel } from '../../../answering/review/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { readQueryText } from '../../context/read-query-text.ts';
import { withSession } from '../../context/with-session.ts';
import { renderFix, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface FixCommandOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly error?: string;
  readonly question?: string;
  readonly run?: boolean;
  readonly property: SessionProperties;
}

const SHOWN_ROWS = 50;

/** `candor fix`: what is wrong with a query, and one that works; nothing is run unless asked. */
export function defineFixCommand(command: Command, context: CommandContext): void {
  command
    .argument('[sql]', 'the query, whoever wrote it; - reads it from standard input')
    .option('--error <message>', 'what an engine said against it')
    .option('--question <text>', 'what it should answer')
    .option('--run', 'run the repaired query, under the guard');
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor fix "SELECT nmae FROM customer"
  candor fix "SELECT TOP 5 YEAR(created) FROM orders" --error "no such function: YEAR"
  candor fix "SELECT COUNT(*) FROM orders" --error "permission denied for table orders"
  candor fix - --output json < broken.sql
  candor fix --model openai:gpt-4.1 "SELECT …" --question "orders per city"   a model mends what rules cannot
  candor fix --run "SELECT nmae FROM customers"

Exit code ${OUTCOME_EXIT.abstain}: an error is left, or what is meant is for you to choose; ${OUTCOME_EXIT.reject}: it would read more than your data, or do more than read. Nothing is run without --run.`,
    )
    .action((sql: string | undefined, options: FixCommandOptions) =>
      runCommand(context, options.output, () => runFix(sql, options, context.io)),
    );
}

async function runFix(given: string | undefined, options: FixCommandOptions, io: Io): Promise<number> {
  const sql = await readQueryText(given, io);
  const config = await readCommandConfig(io, options, options.property);
  return withSession(config, io, options.quiet === true, async (session) => {
    const fix = await fixQuery(sql, session, {
      engineError: options.error,
      question: options.question,
      mend: mendWithModel(session, io.signal),
      signal: io.signal,
    });
    const isRun = options.run === true && fix.ok;
    const outcome = isRun ? await runSql(fix.repaired ?? fix.sql, session, { signal: io.signal }) : undefined;
    print(fix, outcome, options, io);
    return exitOf(fix, outcome);
  });
}

function print(fix: Fix, outcome: SqlOutcome | undefined, { output }: FixCommandOptions, io: Io): void {
  if (output === 'json') {
    io.stdout.write(renderJson(outcome === undefined ? fix : { ...fix, outcome }));
    return;
  }
  const style = styleFor(io, io.stdout);
  io.stdout.write(renderFix(fix, style));
  if (outcome?.kind === 'answered') {
    const width = io.stdout.columns === undefined ? {} : { width: io.stdout.columns };
    io.stdout.write(
      `\n${renderTable(outcome.columns, outcome.rows.slice(0, SHOWN_ROWS), { style, ...width })}\n`,
    );
    const more = outcome.rows.length - SHOWN_ROWS;
    if (more > 0) io.stdout.write(`${style.dim(`${more} more rows`)}\n`);
  } else if (outcome?.kind === 'reject')
    io.stderr.write(`${escapeControl(outcome.message)} (${outcome.reason})\n`);
}

function exitOf({ ok, left }: Fix, outcome: SqlOutcome | undefined): number {
  const isUnsafe = left.some(({ kind }) => kind === 'not-read-only' || kind === 'system-table');
  if (isUnsafe || outcome?.kind === 'reject') return OUTCOME_EXIT.reject;
  return ok ? 0 : OUTCOME_EXIT.abstain;
}
