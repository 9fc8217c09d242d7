import type { Command } from 'commander';
import { CandorError } from '../../../errors.ts';
import { readExamples } from '../../../knowledge/authored/index.ts';
import { readSemanticModel } from '../../../knowledge/semantic/index.ts';
import {
  type MovedProject,
  openServerState,
  type ProjectMove,
  pullProject,
  pushProject,
} from '../../../server/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface MoveOptions extends ProjectOptions, OutputOptions {
  readonly force?: boolean;
  readonly workspace: string;
}

type Move = (move: ProjectMove) => Promise<MovedProject>;

/** `candor project push` and `pull`: files of a project between a checkout and an installation of several servers. */
export function defineProjectCommand(project: Command, context: CommandContext): void {
  project.addHelpText(
    'after',
    `
Examples:
  candor project push             give the files of this checkout to all servers
  candor project pull             bring what people have changed in the browser, to commit it
  candor project pull --force     take the installation's side of files that were changed on both

Servers with the same server.state have their files there. A file that was changed on both sides since they last met is a
conflict: it is named, and nothing is moved. docs/guides/shared.md has more.`,
  );
  addMove(project.command('push').description('Give the files of this checkout to the installation.'), {
    context,
    move: async (move) => {
      // What does not open would open nowhere.
      await readSemanticModel(move.own.semanticsDirectory);
      await readExamples(move.own.examplesDirectory);
      return pushProject(move);
    },
    where: 'in the installation',
  });
  addMove(project.command('pull').description('Bring the files of the installation into this checkout.'), {
    context,
    move: pullProject,
    where: 'here',
  });
}

function addMove(
  command: Command,
  { context, move, where }: { readonly context: CommandContext; readonly move: Move; readonly where: string },
): void {
  command
    .option('--force', 'files that were changed on both sides are taken from where the others come from')
    .option('--workspace <name>', 'of a project that is served as a workspace of another', '');
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `\nExamples:\n  candor project ${command.name()}\n  candor project ${command.name()} --output json`,
    )
    .action((options: MoveOptions) =>
      runCommand(context, options.output, () => runMove(options, { io: context.io, move, where })),
    );
}

async function runMove(
  options: MoveOptions,
  { io, move, where }: { readonly io: Io; readonly move: Move; readonly where: string },
): Promise<number> {
  const own = await readCommandConfig(io, options);
  if (own.server.state === undefined)
    throw new CandorError('project.not-shared', 'The files of this project lie in its folder alone.');
  const state = await openServerState(own);
  try {
    const moved = await move({ state, workspace: options.workspace, own, isForced: options.force === true });
    io.stdout.write(options.output === 'json' ? renderJson(moved) : shown(moved, where));
    return 0;
  } finally {
    await state.close();
  }
}

function shown({ written, removed, left }: MovedProject, where: string): string {
  const lines = [
    ...written.map((path) => `written  ${path}`),
    ...removed.map((path) => `removed  ${path}`),
    ...left.map((path) => `left     ${path} (changed ${where} alone)`),
  ];
  return lines.length === 0 ? `all files are the same ${where}\n` : lines.map((line) => `${line}\n`).join('');
}
