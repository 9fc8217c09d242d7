import { withForeign, writtenFor } from '../aside.ts';
import type { ExportSource } from '../conversion.ts';
import { isRecord, standardSql } from '../lean-model.ts';
import { nameKeeper, plainName } from '../spoken-name.ts';
import type { CortexWriter } from './cortex-writer.ts';
import { dayOf, queryName, secondsOf } from './import-cortex-queries.ts';
import { type TableNames, toLogicalSql } from './logical-sql.ts';

/** Verified pairs as verified queries over the logical tables; `said` is what an import noted of them, by question. */
export function exportQueries(
  examples: ExportSource['examples'],
  { model, tables, losses }: CortexWriter,
  said: unknown,
): unknown[] {
  const names = model.datasets.map(
    (dataset): TableNames => ({
      logical: tables.get(dataset.name) ?? dataset.name,
      source: dataset.source,
      columns: new Map(dataset.fields.map((field) => [plainName(field.name), standardSql(field) ?? ''])),
    }),
  );
  const keep = nameKeeper();
  return examples.flatMap((example) => {
    const { question, sql, verifiedBy, verifiedAt } = example;
    const notes = isRecord(said) && isRecord(said[question]) ? said[question] : {};
    const { unnamed, name, question: asked, verified_at, verified_by, ...rest } = notes;
    const written = writtenFor(sql, notes);
    const logical = written === undefined ? toLogicalSql(sql, names) : { sql: written, missing: [] };
    if (logical === undefined) {
      losses.push({ kind: 'dropped', place: question, what: 'its SQL is not understood, so it is left out' });
      return [];
    }
    if (logical.missing.length > 0) {
      const what = `its SQL names ${logical.missing.join(', ')}, which no field of the model is`;
      losses.push({ kind: 'approximated', place: question, what });
    }
    return [
      withForeign(rest, {
        name: unnamed === true ? undefined : (name ?? keep(queryName(question))),
        question: asked ?? question,
        sql: logical.sql,
        verified_at: dayOf(Number(verified_at)) === verifiedAt ? verified_at : secondsOf(verifiedAt),
        verified_by: verifiedBy === undefined ? undefined : (verified_by ?? verifiedBy),
      }),
    ];
  });
}
