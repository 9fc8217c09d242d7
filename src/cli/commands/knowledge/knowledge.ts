import type { Command } from 'commander';
import type { CommandContext } from '../../context/command-context.ts';
import { addKnowledgeAddCommand } from './knowledge-add.ts';
import { addKnowledgeCertifyCommand } from './knowledge-certify.ts';
import { addKnowledgeClustersCommand } from './knowledge-clusters.ts';
import { addKnowledgeDescribeCommand } from './knowledge-describe.ts';
import { addKnowledgeDescribedCommand } from './knowledge-described.ts';
import { addKnowledgeDriftCommand } from './knowledge-drift.ts';
import { addKnowledgeExportCommand } from './knowledge-export.ts';
import { addKnowledgeImportCommand } from './knowledge-import.ts';
import { addKnowledgeLearnCommand } from './knowledge-learn.ts';
import { addKnowledgeProposalsCommand } from './knowledge-proposals.ts';
import { addKnowledgeStatsCommand } from './knowledge-stats.ts';

/** `candor knowledge`: what people know of the data, in files that lie in git. */
export function defineKnowledgeCommand(knowledge: Command, context: CommandContext): void {
  addKnowledgeAddCommand(knowledge, context);
  addKnowledgeCertifyCommand(knowledge, context);
  addKnowledgeLearnCommand(knowledge, context);
  addKnowledgeProposalsCommand(knowledge, context);
  addKnowledgeDescribeCommand(knowledge, context);
  addKnowledgeDescribedCommand(knowledge, context);
  addKnowledgeDriftCommand(knowledge, context);
  addKnowledgeStatsCommand(knowledge, context);
  addKnowledgeClustersCommand(knowledge, context);
  addKnowledgeImportCommand(knowledge, context);
  addKnowledgeExportCommand(knowledge, context);
  knowledge.addHelpText(
    'after',
    `
Examples:
  candor knowledge add note "Orders count on the day they are signed." --table orders
  candor knowledge certify orders --by ana
  candor knowledge learn 20241001-1200 --answer 2 --as default   what a question back was answered with
  candor knowledge proposals                      what was said in conversations and waits for a review
  candor knowledge describe --dry-run             what a model could describe that nobody has, and what it costs
  candor knowledge described                      what it proposed, for a review
  candor knowledge import cortex model.yaml --dry-run
  candor knowledge drift                          what is written down and no longer there

All of it lies in files of the project that people review; \`candor knowledge <command> --help\` teaches one.`,
  );
}
