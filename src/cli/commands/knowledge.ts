import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addKnowledgeAddCommand } from './knowledge-add.ts';
import { addKnowledgeCertifyCommand } from './knowledge-certify.ts';
import { addKnowledgeClustersCommand } from './knowledge-clusters.ts';
import { addKnowledgeDriftCommand } from './knowledge-drift.ts';
import { addKnowledgeExportCommand } from './knowledge-export.ts';
import { addKnowledgeImportCommand } from './knowledge-import.ts';
import { addKnowledgeStatsCommand } from './knowledge-stats.ts';

/** `candor knowledge`: what people know of the data, in files that lie in git. */
export function addKnowledgeCommand(program: Command, context: CommandContext): void {
  const knowledge = program
    .command('knowledge')
    .description('Notes, certified tables, imports and exports; what is known, and what no longer holds.');
  addKnowledgeAddCommand(knowledge, context);
  addKnowledgeCertifyCommand(knowledge, context);
  addKnowledgeDriftCommand(knowledge, context);
  addKnowledgeStatsCommand(knowledge, context);
  addKnowledgeClustersCommand(knowledge, context);
  addKnowledgeImportCommand(knowledge, context);
  addKnowledgeExportCommand(knowledge, context);
}
