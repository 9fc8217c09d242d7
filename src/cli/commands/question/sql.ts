import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { runSql, type SqlOutcome, type SqlPlanned, type SqlRows } from '../../../answering/index.ts';
import { CandorError } from '../../../errors.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import { closeReader, openReader } from '../../../session/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { type DialectName, parse, transpile } from '../../../sql/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, renderCsv, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface SqlOptions extends ProjectOptions, OutputOptions {
  readonly file?: string;
  readonly plan?: boolean;
  readonly limit?: number;
  readonly to?: DialectName;
  readonly from?: DialectName;
  readonly property: SessionProperties;
}

/** Rows a table shows when `--limit` does not say. */
const DEFAULT_SHOWN_ROWS = 50;

/** `candor sql`: one reading statement through the guard. */
export function defineSqlCommand(command: Command, context: CommandContext): void {
  command
    .argument('[sql]', 'the statement, in the words of the database; quote it for your shell')
    .option('--file <path>', 'read the statement from a file')
    .option('--plan', 'only check and plan it: nothing is run')
    .option(
      '--limit <n>',
      `rows at most (default: ${DEFAULT_SHOWN_ROWS} shown in a table, limits.rows kept)`,
      parseCount,
    );
  const dialects = Object.keys(DIALECTS);
  command
    .addOption(
      new Option('--to <dialect>', 'only translate it: nothing is run').choices(dialects).conflicts('plan'),
    )
    .addOption(
      new Option(
        '--from <dialect>',
        'with --to: what it is written in (default: that of the database)',
      ).choices(dialects),
    );
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json', 'csv']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor sql "SELECT city, COUNT(*) FROM customers GROUP BY city"
  candor sql --plan --file report.sql                        would it run, and at what cost?
  candor sql --property tenant=7 "SELECT * FROM orders"      with the row filter of that tenant
  candor sql --output csv "SELECT * FROM orders" > orders.csv
  candor sql --from sqlite --to postgres "SELECT IFNULL(city, '-') FROM customers"    needs no database

A translation is printed where it can be run; what may differ is said on stderr. What the other dialect cannot say is named there too, with
exit code ${OUTCOME_EXIT.reject} and nothing on stdout.

What would change anything, read files or reach the network is refused (exit code ${OUTCOME_EXIT.reject}) before it meets
the database, and the session is read-only in the engine's own way as well.`,
    )
    .action((sql: string | undefined, options: SqlOptions) =>
      runCommand(context, options.output, () => runSqlCommand(sql, options, context.io)),
    );
}

async function runSqlCommand(written: string | undefined, options: SqlOptions, io: Io): Promise<number> {
  const sql = await readStatement(written, options, io);
  if (options.to !== undefined) return translate(sql, options.to, options, io);
  if (options.from !== undefined)
    throw new CandorError(
      'sql.not-given',
      '--from says what a statement is written in; --to has to say what it becomes.',
    );
  const config = await readCommandConfig(io, options, options.property);
  const rows = Math.min(config.limits.rows, options.limit ?? config.limits.rows);
  const reader = await openReader({ ...config, limits: { ...config.limits, rows } }, { signal: io.signal });
  try {
    const outcome = await runSql(sql, reader, { planOnly: options.plan === true, signal: io.signal });
    print(outcome, options, io);
    return outcome.kind === 'reject' ? OUTCOME_EXIT.reject : 0;
  } finally {
    await closeReader(reader);
  }
}

async function readStatement(written: string | undefined, { file }: SqlOptions, io: Io): Promise<string> {
  if (written !== undefined && file === undefined) return written;
  if (written === undefined && file !== undefined) return readFile(resolve(io.cwd, file), 'utf8');
  throw new CandorError('sql.not-given', 'Give one statement: as an argument or with --file.');
}

function print(outcome: SqlOutcome, options: SqlOptions, io: Io): void {
  if (options.output === 'json') {
    io.stdout.write(renderJson(outcome));
    return;
  }
  switch (outcome.kind) {
    case 'answered':
      printRows(outcome, options, io);
      break;
    case 'planned':
      io.stdout.write(`${planText(outcome)}\n`);
      break;
    case 'reject':
      // A script that wants rows must not take a refusal for data.
      io.stderr.write(`${escapeControl(outcome.message)} (${outcome.reason})\n`);
      break;
  }
}

function printRows(result: SqlRows, options: SqlOptions, io: Io): void {
  const { columns, rows, truncatedBy, cutCells, notices, ms } = result;
  const notes = [
    ...(truncatedBy === null
      ? []
      : [`cut at the limit of ${truncatedBy} after ${counted(rows.length, 'row')}`]),
    ...(cutCells === 0 ? [] : [`${counted(cutCells, 'cell')} cut at limits.cellSize`]),
    ...notices.map(({ text }) => text),
  ];
  if (options.output === 'csv') {
    io.stdout.write(renderCsv(columns, rows));
    if (!options.quiet) for (const note of notes) io.stderr.write(`${note}\n`);
    return;
  }
  const shown = rows.slice(0, options.limit ?? DEFAULT_SHOWN_ROWS);
  const style = styleFor(io, io.stdout);
  const width = io.stdout.columns === undefined ? {} : { width: io.stdout.columns };
  io.stdout.write(`${renderTable(columns, shown, { style, ...width })}\n`);
  const more = rows.length > shown.length ? [`${rows.length - shown.length} more rows: raise --limit`] : [];
  const count = counted(rows.length, 'row');
  io.stdout.write(`${style.dim([`${count} in ${ms.toFixed(0)} ms`, ...more, ...notes].join('; '))}\n`);
}

function planText({ plan }: SqlPlanned): string {
  const parts = [
    ...(plan.rows === undefined ? [] : [`about ${Math.round(plan.rows).toLocaleString('en')} rows`]),
    ...(plan.cost === undefined ? [] : [`cost ${Math.round(plan.cost).toLocaleString('en')}`]),
    ...(plan.bytes === undefined ? [] : [`${Math.round(plan.bytes).toLocaleString('en')} bytes read`]),
  ];
  return `passes the guard, and the engine can plan it${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

// `--to`: a statement in the words of another dialect.

async function translate(sql: string, to: DialectName, options: SqlOptions, io: Io): Promise<number> {
  const from = options.from ?? (await dialectOfDatabase(options, io));
  const parsed = parse(sql, from);
  if (!parsed.ok)
    throw new CandorError('sql.parse-failed', `${parsed.error.message}\n${parsed.error.excerpt}`);
  const translated = transpile(parsed.tree, to);
  const diagnostics = translated.diagnostics.map(({ kind, rule, span, message }) => ({
    kind,
    rule,
    message,
    ...span,
  }));
  const isWhole = diagnostics.every(({ kind }) => kind !== 'unsupported');
  if (options.output === 'json')
    io.stdout.write(renderJson({ sql: translated.sql, from, to, isWhole, diagnostics }));
  else {
    if (isWhole) io.stdout.write(`${escapeControlKeepingLines(translated.sql)}\n`);
    const say = { unsupported: `cannot be said in ${to}`, changed: 'may give other rows' } as const;
    for (const { kind, message, start, end } of diagnostics)
      io.stderr.write(`${escapeControl(`${say[kind]}: ${message} (${sql.slice(start, end)})`)}\n`);
  }
  return isWhole ? 0 : OUTCOME_EXIT.reject;
}

async function dialectOfDatabase(options: SqlOptions, io: Io): Promise<DialectName> {
  const reader = await openReader(await readCommandConfig(io, options, options.property), {
    signal: io.signal,
  });
  try {
    return reader.database.dialect;
  } finally {
    await closeReader(reader);
  }
}
