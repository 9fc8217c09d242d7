/** What the trained ranker chooses, as items with their reasons; families stand for the tables the question is about. */
import type { TableIndex } from '../../knowledge/retrieve/index.ts';
import type { ChoiceRisks, SchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import type { LinkedItem, LinkReason } from '../schema/linked-schema.ts';

/** In the order of the catalog, each table before its fields. */
export function chosenItems(
  opinion: SchemaOpinion,
  tables: TableIndex,
  risks: ChoiceRisks,
): readonly LinkedItem[] {
  const choice = opinion.choose(risks);
  const members = new Map([...choice.tables].map((id) => [id, new Set(opinion.membersOf(id))]));
  const wanted = new Map<string, LinkedItem[]>();
  for (const [first, ids] of members) {
    const model = tables.table(first);
    const places = (model?.columns ?? []).flatMap(({ id }, place) => (choice.fields.has(id) ? [place] : []));
    for (const id of ids) {
      const table = tables.table(id);
      if (table === undefined) continue;
      const fields = places.flatMap((place) => table.columns[place]?.id ?? []);
      wanted.set(id, [
        toItem(id, 'table', opinion.tableProbability(id), opinion),
        ...fields.map((field) => toItem(field, 'field', opinion.columnProbability(field), opinion)),
      ]);
    }
  }
  return tables.catalog.tables.flatMap(({ id }) => wanted.get(id) ?? []);
}

export function toItem(
  id: string,
  kind: LinkedItem['kind'],
  score: number,
  opinion: SchemaOpinion,
): LinkedItem {
  const reasons = opinion.reasons(id);
  return {
    id,
    kind,
    because: reasons.length > 0 ? reasons : [BESIDE[kind]],
    tier: score >= RELEVANT ? 'relevant' : 'maybe',
    isAuto: false,
    score,
  };
}

/** From here on an item is more likely needed than most that are kept for safety. */
const RELEVANT = 0.3;

const BESIDE: Readonly<Record<LinkedItem['kind'], LinkReason>> = {
  table: { kind: 'ranker', text: 'it goes with what the question names' },
  field: { kind: 'ranker', text: 'columns like it are used in questions like this' },
};
