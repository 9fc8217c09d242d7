import type { Catalog } from '../../catalog/index.ts';
import type { AccessPolicy } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { findDatasetTable } from './find-dataset-table.ts';
import type { Dataset, SemanticModel } from './semantic-model.ts';

/**
 * The row filters, masks and trusted views that a semantic model states, as a policy for `guarded`; all tables stay
 * visible. Two datasets on one table restrict it both: their filters hold together. Throws `semantics.invalid` when
 * they give one column two masks, or when a restricted dataset means no one table of the catalog.
 */
export function accessPolicyOf({ datasets }: SemanticModel, catalog: Catalog): AccessPolicy {
  const rowFilters = new Map<string, string>();
  const columnMasks = new Map<string, string>();
  const trustedViews: string[] = [];
  for (const dataset of datasets) {
    const { rowFilter, columnMasks: masks = {}, isTrustedView = false } = dataset;
    if (rowFilter === undefined && Object.keys(masks).length === 0 && !isTrustedView) continue;
    const tableId = idOf(dataset, catalog);
    if (isTrustedView) trustedViews.push(tableId);
    if (rowFilter !== undefined) {
      const known = rowFilters.get(tableId);
      rowFilters.set(tableId, known === undefined ? rowFilter : `(${known}\n) AND (${rowFilter}\n)`);
    }
    for (const [column, mask] of Object.entries(masks)) {
      const columnId = `${tableId}${column.slice(dataset.table.length)}`;
      const known = columnMasks.get(columnId);
      if (known !== undefined && known !== mask) {
        const reason = `${columnId} has two masks, \`${known}\` and \`${mask}\`; keep one`;
        throw new CandorError('semantics.invalid', `dataset ${dataset.name}: ${reason}.`);
      }
      columnMasks.set(columnId, mask);
    }
  }
  return { rowFilters, columnMasks, trustedViews };
}

function idOf(dataset: Dataset, catalog: Catalog): string {
  const table = findDatasetTable(dataset, catalog);
  if (table !== undefined) return table.id;
  throw new CandorError(
    'semantics.invalid',
    `dataset ${dataset.name} restricts ${dataset.source ?? dataset.table}, which means no table of the catalog or more than one.`,
  );
}
