import { access, cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { ask } from '../../../answering/index.ts';
import { type Config, readConfig } from '../../../config/index.ts';
import { makeMotors } from '../../../demo/index.ts';
import { CandorError } from '../../../errors.ts';
import type { Session } from '../../../session/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import { commandLine } from '../../context/options.ts';
import { cardLayout, withSession } from '../../context/with-session.ts';
import { makeProgress, renderAnswer, shellQuote } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

export interface DemoOptions {
  readonly dir: string;
}

/** The files of the demo project, in this package. */
export const TEMPLATE = fileURLToPath(new URL('../../../../examples/motors/', import.meta.url));
/** What a person gets of it; the database is made, not copied. */
export const TEMPLATE_PARTS: readonly string[] = [
  'semantics',
  'knowledge',
  'examples',
  'tests',
  'candor.yml',
];

/** `candor demo`: makes the demo project, asks three questions and says what to try next. */
export function defineDemoCommand(command: Command, context: CommandContext): void {
  command
    .option('--dir <dir>', 'folder of the demo project', 'candor-demo')
    .addHelpText(
      'after',
      `
Examples:
  candor demo
  candor demo --dir motors

Safe to repeat: what is there already is used again. To start over, delete the folder.`,
    )
    .action((options: DemoOptions) => runCommand(context, undefined, () => runDemo(options, context.io)));
}

export async function runDemo({ dir }: DemoOptions, io: Io): Promise<number> {
  const folder = resolve(io.cwd, dir);
  await copyTemplate(folder);
  const config = await readConfig({
    cwd: folder,
    project: folder,
    ...(io.env === undefined ? {} : { env: io.env }),
  });
  await makeDatabase(config, io);
  await withSession(config, io, false, async (session) => {
    const { tables } = session.catalog;
    const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0);
    io.stdout.write(`Motors, a made-up car maker: ${tables.length} tables, ${rows} rows, in ${dir}\n`);
    for (const entry of DEMO_QUESTIONS) await showQuestion(entry, session, dir, io);
  });
  io.stdout.write(nextSteps(dir, io));
  return 0;
}

/** Copies the project; `candor.yml` last, so that a folder with one is complete. */
export async function copyTemplate(folder: string): Promise<void> {
  if (await exists(join(folder, 'candor.yml'))) return;
  const known = [...TEMPLATE_PARTS, '.candor'];
  const foreign = (await exists(folder))
    ? (await readdir(folder)).filter((name) => !known.includes(name))
    : [];
  if (foreign.length > 0)
    throw new CandorError(
      'demo.folder-in-use',
      `${folder} holds other files (${foreign.slice(0, 3).join(', ')}).`,
    );
  await mkdir(folder, { recursive: true });
  for (const part of TEMPLATE_PARTS) await cp(join(TEMPLATE, part), join(folder, part), { recursive: true });
}

export async function makeDatabase(config: Config, io: Io): Promise<void> {
  const path = config.databaseUrl.replace(/^sqlite:/, '');
  if (await exists(path)) return;
  const progress = makeProgress(io.stderr, false);
  const stage = `making ${basename(path)}`;
  await makeMotors(path, {
    engine: 'sqlite',
    signal: io.signal,
    onProgress: (event) => progress.report({ stage, ...event }),
  }).finally(progress.clear);
}

export async function showQuestion(
  { question, shows }: (typeof DEMO_QUESTIONS)[number],
  session: Session,
  dir: string,
  io: Io,
): Promise<void> {
  const answer = await ask(question, session, { signal: io.signal });
  const layout = cardLayout(session, io, io.stdout, { project: dir }, { maxRows: 10, isExecuted: true });
  const { style, askCommand } = layout;
  io.stdout.write(`\n${style.dim('─'.repeat(72))}\n${style.dim(shows)}\n`);
  io.stdout.write(`\n$ ${askCommand} ${style.bold(shellQuote(question))}\n\n${renderAnswer(answer, layout)}`);
}

export function nextSteps(dir: string, io: Io): string {
  const style = styleFor(io, io.stdout);
  const tries = DEMO_NEXT_QUESTIONS.map(
    (question) => `  ${commandLine(io, 'ask', { project: dir })} ${shellQuote(question)}\n`,
  );
  return `
${style.dim('─'.repeat(72))}
${style.bold('Try next')}
${tries.join('')}  ${io.program} doctor --project ${shellQuote(dir)}

${style.bold('Your own database')} (a file, PostgreSQL, MySQL, …; nothing in it is changed)
  ${io.program} onboard sqlite:path/to/your.db
  ${io.program} ask "how many …?"
`;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** What the demo asks: one question that is answered, one that needs a question back, one that is refused. */
export const DEMO_QUESTIONS: readonly { readonly question: string; readonly shows: string }[] = [
  {
    question: 'orders by brand in 2024',
    shows: 'An answer: rows, the SQL behind them, and where each part of it comes from.',
  },
  {
    question: 'how were sales in 2024?',
    shows: 'A question back: the words have more than one reading here, so Candor does not guess.',
  },
  {
    question: 'average customer satisfaction per dealer in 2024',
    shows: 'A refusal: the database does not hold this, and Candor says so instead of making it up.',
  },
];

/** Questions to try after the demo. */
const DEMO_NEXT_QUESTIONS: readonly string[] = [
  'number of test drives per month in 2023',
  'which province had the most orders in 2024?',
];
