import type { FileRelationship } from '../../semantic/semantic-file.ts';
import { putBack, withForeign, writtenFor } from '../aside.ts';
import type { Exported, ExportSource, Loss } from '../conversion.ts';
import { isRecord } from '../lean-model.ts';
import { ratioOf } from '../metric-owner.ts';
import { nameKeeper, plainName } from '../spoken-name.ts';
import { readBlock } from '../vendor-block.ts';
import { writeYaml } from '../write-yaml.ts';
import { type CortexWriter, standsInTable, writeRatio } from './cortex-writer.ts';
import { exportQueries } from './export-cortex-queries.ts';
import { exportTable } from './export-cortex-table.ts';
import { columnPairs } from './import-cortex.ts';
import { CORTEX_VENDOR } from './import-cortex-table.ts';

/**
 * Writes one semantic model a file. Filters of metrics and of their table are written into the aggregates, since
 * metrics of the format have none; names become identifiers with the spoken name as first synonym.
 */
export function exportCortex({ models, examples }: ExportSource): Exported {
  const losses: Loss[] = [];
  const files = models.map((model, index) => {
    const keep = nameKeeper();
    const tables = new Map(model.datasets.map(({ name }) => [name, keep(plainName(name))]));
    const writer: CortexWriter = { model, losses, tables };
    // Verified pairs do not say which model they are of: they go with the first.
    const document = writeModel(writer, index === 0 ? examples : []);
    return {
      path: `${plainName(model.name)}.yaml`,
      text: writeYaml(document),
    };
  });
  return { files, losses };
}

function writeModel(writer: CortexWriter, examples: ExportSource['examples']): Record<string, unknown> {
  const { model } = writer;
  const { queries, ...block } = readBlock(model.custom_extensions, CORTEX_VENDOR);
  const { name, description, ai_context } = model;
  const instructions = isRecord(ai_context) ? ai_context.instructions : undefined;
  const keep = nameKeeper();
  return withForeign(block, {
    name,
    description,
    tables: putBack(
      model.datasets.map((dataset) => exportTable(dataset, writer)),
      'tables',
      block,
    ),
    relationships: filled(
      putBack(
        model.relationships.map((link) => writeRelationship(link, writer, keep)),
        'relationships',
        block,
      ),
    ),
    metrics: filled(putBack(modelMetrics(writer), 'metrics', block)),
    verified_queries: filled(putBack(exportQueries(examples, writer, queries), 'verified_queries', block)),
    custom_instructions: typeof instructions === 'string' ? instructions : undefined,
  });
}

function writeRelationship(
  link: FileRelationship,
  { tables }: CortexWriter,
  keep: (name: string) => string,
): Record<string, unknown> {
  const block = readBlock(link.custom_extensions, CORTEX_VENDOR);
  const { join_type = 'left_outer', relationship_type = 'many_to_one', ...rest } = block;
  const columns = columnPairs(link.from_columns, link.to_columns);
  const written = writtenFor(JSON.stringify(columns), block);
  return withForeign(rest, {
    name: keep(plainName(link.name)),
    left_table: tables.get(link.from) ?? link.from,
    right_table: tables.get(link.to) ?? link.to,
    relationship_columns: written === undefined ? columns : JSON.parse(written),
    join_type: join_type ?? undefined,
    relationship_type: relationship_type ?? undefined,
  });
}

/** Ratios stand at the model: their parts may be of different tables. */
function modelMetrics({ model, tables, losses }: CortexWriter): unknown[] {
  const ratios = model.metrics.filter((metric) => ratioOf(metric) !== undefined && !standsInTable(metric));
  return ratios.flatMap((metric) => {
    const written = writeRatio(metric, { model, tables, losses });
    return written === undefined ? [] : [written];
  });
}

function filled(list: unknown[]): unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}
