import { Command, Help } from 'commander';
import { VERSION } from '../version.ts';
import { COMMANDS, type CommandEntry } from './command-table.ts';
import type { CommandContext } from './context/command-context.ts';
import { EXIT_CODES } from './terminal/io.ts';

/** The command line as it starts: what `--help` lists. A command gets its options when it is called. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('candor');
  const usages = new Map<Command, string>();
  configure(program, context, usages);
  const entries = new Map<Command, CommandEntry>();
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.description);
    usages.set(command, entry.usage);
    entries.set(command, entry);
  }
  return program.hook('preSubcommand', async (_, command) => {
    const entry = entries.get(command);
    if (entry?.isLong !== true) leaveSchemasUncompiled();
    const define = await entry?.load();
    define?.(command, context);
  });
}

/**
 * Tells zod not to compile a function for each schema that it meets: that pays after some hundred values, and took a twentieth of a
 * question's time. It asks when a schema is made, which is when the code of a command is loaded.
 */
function leaveSchemasUncompiled(): void {
  if (Reflect.get(globalThis, ZOD_SETTINGS) === undefined)
    Reflect.set(globalThis, ZOD_SETTINGS, { jitless: true });
}

/** Where zod keeps its settings, so that all copies of it have the same. */
const ZOD_SETTINGS = '__zod_globalConfig';

/** The whole command line as data, every command with its options: what the reference is generated from. */
export async function buildWholeProgram(context: CommandContext): Promise<Command> {
  const program = new Command('candor');
  configure(program, context, new Map());
  for (const { name, description, load } of COMMANDS) {
    const define = await load();
    define(program.command(name).description(description), context);
  }
  return program;
}

/** What holds for the program and is handed on to its commands. */
function configure(program: Command, { io }: CommandContext, usages: ReadonlyMap<Command, string>): void {
  program
    .description('Ask a database in plain words, and know when not to trust the answer.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print help; after a command, the help of that command')
    .helpCommand(false)
    // An option behind a subcommand is the subcommand's, here and in `eval`: `eval link bird --limit 5`.
    .enablePositionalOptions()
    .configureHelp({
      helpWidth: 100,
      subcommandTerm: (command) => {
        const usage = usages.get(command);
        if (usage === undefined) return Help.prototype.subcommandTerm(command);
        return `${command.name()} ${usage}`.trimEnd();
      },
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showHelpAfterError('(add --help for examples)')
    .exitOverride()
    .addHelpText('after', overview());
}

function overview(): string {
  return `
Start here:
  candor demo                                try it on a made-up car maker
  candor onboard sqlite:shop.db              read a database of yours (nothing in it is changed)
  candor ask "how many orders per month?"    ask it

Exit codes:
${EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`).join('\n')}`;
}
