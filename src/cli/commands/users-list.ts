import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, runCommand } from '../command-context.ts';
import { addOutputOptions, addProjectOptions, type OutputOptions, type ProjectOptions } from '../options.ts';
import { escapeControl, renderJson } from '../render/index.ts';
import { withPeople } from '../with-people.ts';

interface ListOptions extends ProjectOptions, OutputOptions {}

interface AuditOptions extends ProjectOptions {
  readonly since: string;
  readonly until: string;
}

/** `users list` and `users audit`. */
export function addUserListCommands(users: Command, context: CommandContext): void {
  addOutputOptions(
    addProjectOptions(users.command('list').description('Who there is, with groups and keys.')),
    ['table', 'json'],
  )
    .addHelpText('after', '\nExamples:\n  candor users list\n  candor users list --output json')
    .action((options: ListOptions) =>
      runCommand(context, options.output, () =>
        withPeople(options, context.io, async ({ store }) => {
          const listed = await Promise.all(
            (await store.listUsers()).map(async ({ id, ...user }) => ({
              ...user,
              keys: await store.listKeys(id),
            })),
          );
          if (options.output === 'json') return renderJson(listed);
          return listed.map(lineOf).join('');
        }),
      ),
    );
  const audit = users
    .command('audit')
    .description('What people did, as lines of JSON, the oldest first.')
    .option('--since <day>', 'from this day on, YYYY-MM-DD', parseDay, '2000-01-01')
    .option('--until <day>', 'up to this day, itself left out', parseDay, '9999-01-01');
  addProjectOptions(audit)
    .addHelpText('after', '\nExamples:\n  candor users audit --since 2026-11-01 > november.jsonl')
    .action((options: AuditOptions) =>
      runCommand(context, 'table', () =>
        withPeople(options, context.io, async ({ log }) => {
          const entries = await log.list(options.since, options.until, Number.MAX_SAFE_INTEGER);
          return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
        }),
      ),
    );
}

function lineOf(user: {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  readonly groups: readonly string[];
  readonly keys: readonly { readonly prefix: string; readonly expiresAt?: string }[];
}): string {
  const { name, isAdmin, isDisabled, groups, keys } = user;
  const marks = [...(isAdmin ? ['admin'] : []), ...groups, ...(isDisabled ? ['disabled'] : [])];
  const shown = keys.map(({ prefix, expiresAt }) =>
    expiresAt === undefined ? prefix : `${prefix} until ${expiresAt.slice(0, 10)}`,
  );
  return `${escapeControl(name)}  ${marks.join(', ') || 'no group'}  keys: ${shown.join(', ') || 'none'}\n`;
}

function parseDay(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return value;
}
