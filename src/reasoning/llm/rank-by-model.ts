/** A language model that ranks tables and columns (LinkedIn, section 5.2). */
import { z } from 'zod';
import type { LanguageModel } from '../../model/index.ts';
import type { RankReasoner, TieredColumn } from '../roles/rank-reasoner.ts';
import { askForJson, MODEL_REASONER_DEFAULTS, type ModelReasonerSettings } from './ask-for-json.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import { rankColumnsPrompt, rankTablesPrompt } from './prompts/linking/rank-prompts.ts';

const NAME_CHARACTERS = 400;
const BECAUSE_CHARACTERS = 300;
const MOST_TABLES = 1_000;
const MOST_COLUMNS = 5_000;

/** `model` behind the contract of the rankers. */
export function rankByModel(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
): RankReasoner {
  const { judging: sampling } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  return {
    kind: 'model',
    sharing: model.isPrivate ? 'private' : 'all',
    rankTables: async (question, cards) => {
      const messages = rankTablesPrompt(question, cards);
      const task = { role: 'rank tables', messages, reply: SCORED, sampling };
      const { tables } = await askForJson(model, task, question);
      return tables.map(({ name, score, because }) => ({
        name: cutText(name.trim(), NAME_CHARACTERS),
        score,
        because: cutText(because ?? '', BECAUSE_CHARACTERS),
      }));
    },
    rankColumns: async (question, parts) => {
      const messages = rankColumnsPrompt(question, parts);
      const task = { role: 'rank columns', messages, reply: TIERED, sampling };
      const { relevant, maybe } = await askForJson(model, task, question);
      return [...tiered(relevant, 'relevant'), ...tiered(maybe ?? [], 'maybe')];
    },
  };
}

const BECAUSE = z.string().nullish();
const SCORED = z.object({
  tables: z
    .array(z.object({ name: z.string(), score: z.number().min(1).max(10), because: BECAUSE }))
    .max(MOST_TABLES),
});
const COLUMNS = z
  .array(z.object({ table: z.string(), column: z.string(), because: BECAUSE }))
  .max(MOST_COLUMNS);
const TIERED = z.object({ relevant: COLUMNS, maybe: COLUMNS.nullish() });

function tiered(read: z.infer<typeof COLUMNS>, tier: TieredColumn['tier']): readonly TieredColumn[] {
  return read.map(({ table, column, because }) => ({
    table: cutText(table.trim(), NAME_CHARACTERS),
    column: cutText(column.trim(), NAME_CHARACTERS),
    tier,
    because: cutText(because ?? '', BECAUSE_CHARACTERS),
  }));
}
