import type { Command } from 'commander';
import { listRecords, replay } from '../../../answering/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { readRecord } from '../../../session/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  commandLine,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { cardLayout, withSession } from '../../context/with-session.ts';
import { renderAnswer, renderJson, renderSent, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface ReplayOptions extends ProjectOptions, OutputOptions {
  readonly list?: boolean;
  readonly sent?: boolean;
}

/** Exit code of a replay that came out differently. */
const DIFFERENT_EXIT = 1;

/** `candor replay`: asks a recorded question again and says whether anything came out differently. */
export function defineReplayCommand(command: Command, context: CommandContext): void {
  command
    .argument('[id]', 'id of the record, printed below every answer')
    .option('--list', 'list the records of this project')
    .option('--sent', 'show what a language model was told for the answer, and ask nothing');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor replay --list
  candor replay 5f0c2a91 --sent
  candor replay 5f0c2a91        exit code 0: the same; 1: something differs`,
    )
    .action((id: string | undefined, options: ReplayOptions) => {
      if (options.list) return runCommand(context, options.output, () => listAll(options, context.io));
      if (id === undefined) return command.error('error: name a record, or use --list', { exitCode: 2 });
      if (options.sent) return runCommand(context, options.output, () => showSent(id, options, context.io));
      return runCommand(context, options.output, () => runReplay(id, options, context.io));
    });
}

async function listAll(options: ReplayOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const records = await listRecords(config.derivedDirectory);
  if (options.output === 'json') {
    io.stdout.write(renderJson(records));
    return 0;
  }
  const rows = records.map(({ id, at, kind, question }) => [id, at, kind, question]);
  const { columns: width } = io.stdout;
  const layout = { style: styleFor(io, io.stdout), ...(width === undefined ? {} : { width }) };
  if (rows.length > 0)
    io.stdout.write(`${renderTable(['id', 'asked', 'outcome', 'question'], rows, layout)}\n`);
  else io.stderr.write(`no records yet; ${commandLine(io, 'ask', options)} "…" writes one\n`);
  return 0;
}

async function showSent(id: string, options: ReplayOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const { model } = await readRecord(config.derivedDirectory, id);
  const sent = model?.sent ?? [];
  const { columns: width } = io.stdout;
  const layout = { style: styleFor(io, io.stdout), ...(width === undefined ? {} : { width }) };
  io.stdout.write(options.output === 'json' ? renderJson(sent) : renderSent(sent, layout));
  return 0;
}

async function runReplay(id: string, options: ReplayOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  return withSession(config, io, options.quiet === true, async (session) => {
    const { same, differences, answer } = await replay(id, session);
    if (options.output === 'json') {
      io.stdout.write(renderJson({ same, differences, answer }));
      return same ? 0 : DIFFERENT_EXIT;
    }
    const layout = cardLayout(session, io, io.stdout, options, { maxRows: 50, isExecuted: true });
    const { style } = layout;
    const verdict = same
      ? `${style.green('the same')} as recorded`
      : `${style.yellow('different')} from the record:`;
    const list = differences.map((difference) => `  - ${escapeControl(difference)}\n`).join('');
    io.stdout.write(`${renderAnswer(answer, layout)}\n${verdict}\n${list}`);
    return same ? 0 : DIFFERENT_EXIT;
  });
}
