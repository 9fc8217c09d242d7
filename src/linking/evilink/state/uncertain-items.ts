/** Undecided items as refinement sees them: votes, evidence, notes. */

import { type Evidence, type EvidenceLevel, renderEvidence } from '../../../catalog/index.ts';
import { authoredText, type SharedTable, type SharedText } from '../../../catalog/share/index.ts';
import type { UncertainItem } from '../../../reasoning/roles/link-reasoner.ts';
import { columnWithStatistics } from '../items/evilink-sources.ts';
import type { AlikeGroups } from '../items/group-similar-tables.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { credibility } from './votes.ts';

const ABSENT = 'not available';

type Sources = Pick<ToolContext, 'sources' | 'settings' | 'items' | 'scope' | 'votes'>;

/** One for each group, in order; a group of several says so in a note. */
export async function uncertainItems(
  groups: AlikeGroups,
  context: Sources,
): Promise<readonly UncertainItem[]> {
  const shown: UncertainItem[] = [];
  for (const [id, all] of groups) {
    const support = context.votes.of.get(id)?.length ?? 0;
    const { paths } = context.votes;
    shown.push({
      id,
      kind: context.items.tableOf(id) === undefined ? 'table' : 'field',
      support,
      paths,
      credibility: credibility(support, paths),
      evidence: await evidenceOf(id, context),
      notes: [...context.scope.notesOf(id), ...noteOfGroup(all)],
    });
  }
  return shown;
}

function noteOfGroup(all: readonly string[]): readonly SharedText[] {
  if (all.length === 1) return [];
  return [
    authoredText(`stands for ${all.length} alike, ${all[0]} to ${all.at(-1)}: a decision is for all of them`),
  ];
}

async function evidenceOf(id: string, { items, settings, sources }: Sources): Promise<readonly Evidence[]> {
  const level = settings.refineLevel;
  const table = items.table(id);
  if (table !== undefined) return tableEvidence(table, level);
  const column = items.column(id);
  if (column === undefined) return [];
  const known = level === 'L3' ? await columnWithStatistics(column, sources.statisticsOf) : column;
  return renderEvidence(known, level, sources.tables.catalog.keyOverlaps);
}

function tableEvidence(table: SharedTable, level: EvidenceLevel): readonly Evidence[] {
  const key = table.columns.filter(({ id }) => table.primaryKey.includes(id)).map(({ name }) => name);
  const l0 = [{ name: 'table', value: table.name }];
  if (level === 'L0') return l0;
  const l1 = [
    { name: 'kind', value: table.kind },
    { name: 'columns', value: String(table.columns.length) },
    { name: 'key', value: key.length === 0 ? ABSENT : key.join(', ') },
  ];
  if (level === 'L1') return [...l0, ...l1];
  const rows = table.rowCount > 0 ? table.rowCount : table.estimatedRows;
  return [
    ...l0,
    ...l1,
    { name: 'description', value: table.comment ?? ABSENT },
    { name: 'rows', value: rows === undefined ? ABSENT : String(rows) },
  ];
}
