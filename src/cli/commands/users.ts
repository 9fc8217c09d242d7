import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addUserCommands } from './users-change.ts';
import { addUserListCommands } from './users-list.ts';

/** `candor users`: who may use a server, and what they did. */
export function addUsersCommand(program: Command, context: CommandContext): void {
  const users = program
    .command('users')
    .description('Who may use candor serve: people, their keys and what they did.')
    .addHelpText(
      'after',
      `
Examples:
  candor users add ann --admin            prints her key, once
  candor users add bob --group sales      what a group may see stands under server.groups in candor.yml
  candor users list
  candor users audit --since 2026-11-01

There are no passwords. Keys are kept as hashes; who loses one gets another. docs/guides/users.md says what groups can do.`,
    );
  addUserCommands(users, context);
  addUserListCommands(users, context);
}
