import type {
  ColumnCard,
  FoundSigns,
  RankReasoner,
  TablePart,
  TieredColumn,
} from '../roles/rank-reasoner.ts';

/** Half of a column's name stands in the question, or it is that near in meaning. */
const RELEVANT_SCORE = 0.5;

/**
 * Ranks without a model. A table has the place of its retrieval score below the best one, 10; a column is relevant
 * where a stored value or half of its name is in the question, maybe where retrieval found it at all.
 */
export function rankByRetrieval(): RankReasoner {
  return {
    kind: 'grounded',
    rankTables: async (_question, cards) => {
      const best = Math.max(...cards.map(({ found }) => found.score), Number.EPSILON);
      return cards.map(({ table, found }) => ({
        name: table.id,
        score: 1 + Math.round((9 * Math.max(0, found.score)) / best),
        because: reasonText(found),
      }));
    },
    rankColumns: async (_question, parts) => parts.flatMap(tiersOf),
  };
}

function tiersOf({ table, columns }: TablePart): readonly TieredColumn[] {
  return columns.flatMap((card): readonly TieredColumn[] => {
    const tier = tierOf(card);
    if (tier === undefined) return [];
    return [{ table: table.id, column: card.column.name, tier, because: reasonText(card.found) }];
  });
}

function tierOf({ values, found }: ColumnCard): TieredColumn['tier'] | undefined {
  if (values.length > 0 || found.score >= RELEVANT_SCORE) return 'relevant';
  return found.score > 0 ? 'maybe' : undefined;
}

function reasonText({ because }: FoundSigns): string {
  return because.length === 0 ? 'nothing in it is like the question' : because.join('; ');
}
