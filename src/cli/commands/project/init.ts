import { resolve } from 'node:path';
import type { Command } from 'commander';
import { resolveDatabaseUrl } from '../../../config/index.ts';
import { writeProject } from '../../../project/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { noteSecret } from '../../context/note-secret.ts';
import { shellQuote } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface InitOptions {
  readonly project?: string;
  readonly quiet?: boolean;
}

/** `candor init`: writes a new project folder. */
export function defineInitCommand(command: Command, context: CommandContext): void {
  command
    .argument('[url]', 'database URL for candor.yml (default: sqlite:database.db)')
    .option('--project <dir>', 'folder to write to (default: this one)')
    .option('--quiet', 'no notices on stderr; errors are still printed')
    .addHelpText(
      'after',
      `
Examples:
  candor init sqlite:shop.db            in this folder
  candor init --project shop sqlite:shop/shop.db
  candor init 'postgres://reader:\${SHOP_PASSWORD}@db/shop'

An existing candor.yml is never overwritten. Next: candor onboard`,
    )
    .action((url: string | undefined, options: InitOptions) =>
      runCommand(context, undefined, () => runInit(url, options, context.io)),
    );
}

async function runInit(url: string | undefined, options: InitOptions, io: Io): Promise<number> {
  const folder = resolve(io.cwd, options.project ?? '.');
  const written = await writeProject(
    folder,
    url === undefined ? 'sqlite:database.db' : resolveDatabaseUrl(url, io.cwd),
  );
  for (const path of written) io.stdout.write(`${path}\n`);
  if (url !== undefined) noteSecret(url, io);
  if (options.quiet) return 0;
  const project = options.project === undefined ? '' : ` --project ${shellQuote(options.project)}`;
  io.stderr.write(`\nNext: check the database in candor.yml, then run ${io.program} onboard${project}\n`);
  return 0;
}
