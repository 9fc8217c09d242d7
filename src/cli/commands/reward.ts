import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addRewardScoreCommand } from './reward-score.ts';
import { addRewardServeCommand } from './reward-serve.ts';

/** `candor reward`: what outputs of a model that is trained deserve. */
export function addRewardCommand(program: Command, context: CommandContext): void {
  const reward = program
    .command('reward')
    .description('Score what a model writes that is trained to answer or to decline (the reward of BAR-SQL).')
    .addHelpText(
      'after',
      '\nExamples:\n  candor reward serve --database sqlite:shop.db\n  candor reward score outputs.jsonl',
    );
  addRewardServeCommand(reward, context);
  addRewardScoreCommand(reward, context);
}
