import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addTrainBoundaryCommand } from './train-boundary.ts';
import { addTrainEngineCommand } from './train-engine.ts';
import { addTrainUncertaintyCommand } from './train-uncertainty.ts';

/** `candor train`: models that learn from what a project has checked and corrected, or from benchmark data. */
export function addTrainCommand(program: Command, context: CommandContext): void {
  const train = program
    .command('train')
    .description('Train a model on the verified pairs and corrections of a project, or on benchmark data.')
    .addHelpText(
      'after',
      '\nExamples:\n  candor train uncertainty --dry-run\n  candor train engine --dry-run',
    );
  addTrainUncertaintyCommand(train, context);
  addTrainEngineCommand(train, context);
  addTrainBoundaryCommand(train, context);
}
