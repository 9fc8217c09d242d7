/** Why a table or a column was thought of, in words for people. */
import type { NameFit } from './name-fit.ts';
import type { SchemaRanking } from './rank-schema.ts';
import type { RankedQuestion } from './ranked-question.ts';
import type { ColumnWords, SchemaWords, TableWords } from './schema-words.ts';

export interface RankingReason {
  readonly kind: 'value' | 'name' | 'hint' | 'description' | 'key';
  readonly text: string;
}

interface Ranked {
  readonly asked: RankedQuestion;
  readonly schema: SchemaWords;
  readonly ranking: SchemaRanking;
}

/** A key counts as a reason where the table at its other end is likely. */
const LIKELY = 0.3;
const ALIKE = 0.6;

export function reasonsOfColumn(
  column: ColumnWords,
  { asked, schema, ranking }: Ranked,
): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  const fact = asked.values.get(column.column.id);
  if (fact !== undefined) reasons.push({ kind: 'value', text: `“${fact.text}” is stored in it` });
  reasons.push(...reasonsOfName(ranking.fits.column(column.index)));
  const others = [...column.pointsTo, ...column.pointedAtBy].map((at) => schema.columns[at]?.table ?? -1);
  const best = others.toSorted(
    (left, right) => (ranking.tables[right] ?? 0) - (ranking.tables[left] ?? 0),
  )[0];
  const other = schema.tables[best ?? -1];
  if (other !== undefined && (ranking.tables[other.index] ?? 0) >= LIKELY)
    reasons.push({ kind: 'key', text: `it joins ${other.table.name}` });
  return reasons;
}

export function reasonsOfTable(
  table: TableWords,
  { asked, schema, ranking }: Ranked,
): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  reasons.push(...reasonsOfName(ranking.fits.table(table.index)));
  for (const index of table.columns) {
    const column = schema.columns[index];
    const fact = asked.values.get(column?.column.id ?? '');
    if (column === undefined || fact === undefined) continue;
    reasons.push({ kind: 'value', text: `“${fact.text}” is stored in ${column.name}` });
    break;
  }
  const neighbour = table.neighbours.find((other) => (ranking.tables[other] ?? 0) >= LIKELY);
  const other = schema.tables[neighbour ?? -1];
  if (other !== undefined) reasons.push({ kind: 'key', text: `it joins ${other.table.name}` });
  return reasons;
}

function reasonsOfName({ question, hint, describedByQuestion }: NameFit): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  if (hint.written > 0) reasons.push({ kind: 'hint', text: 'the hint writes its name' });
  else if (hint.coverage === 1) reasons.push({ kind: 'hint', text: 'the hint has the words of its name' });
  if (question.written > 0 || question.coverage === 1)
    reasons.push({ kind: 'name', text: 'the question has the words of its name' });
  else if (question.synonyms === 1)
    reasons.push({ kind: 'name', text: 'the question means its name in other words' });
  else if (question.alike >= ALIKE)
    reasons.push({ kind: 'name', text: 'words of the question are like its name' });
  else if (question.coverage > 0) reasons.push({ kind: 'name', text: 'the question has a part of its name' });
  if (describedByQuestion > 0)
    reasons.push({ kind: 'description', text: 'its description has words of the question' });
  return reasons;
}
