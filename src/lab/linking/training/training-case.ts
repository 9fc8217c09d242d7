/** One question of a training set beside the schema it is asked of, with what its gold query uses. */
import {
  type ColumnMatrix,
  columnMatrix,
  type PreparedLinker,
  type RankedQuestion,
  rankedQuestion,
} from '../../../reasoning/grounded/linking/index.ts';
import type { LinkCase } from '../sets/link-set.ts';

export interface TrainingCase {
  readonly linker: PreparedLinker;
  readonly asked: RankedQuestion;
  /** Places of the gold columns in the prepared schema; null where no gold query tells. */
  readonly columns: ReadonlySet<number> | null;
  readonly tables: ReadonlySet<number>;
  /** Cases of one database are never on both sides of a fold. */
  readonly fold: number;
  readonly weight: number;
  /** The same for its tables. */
  readonly tableWeight: number;
}

export function toTrainingCase(
  { question, hint, goldFields, goldTables }: LinkCase,
  linker: PreparedLinker,
  {
    fold,
    weight,
    tableWeight = weight,
  }: { readonly fold: number; readonly weight: number; readonly tableWeight?: number },
): TrainingCase {
  const { schema, tables } = linker;
  const tableAt = new Map(schema.tables.map(({ table, index }) => [table.id, index]));
  const firstOf = (id: string): string => tables.familyOf(id)?.members[0]?.table.id ?? id;
  return {
    linker,
    asked: rankedQuestion(question, hint, linker),
    columns:
      goldFields && new Set([...goldFields].flatMap((id) => schema.columnAt.get(linker.placeOf(id)) ?? [])),
    tables: new Set([...goldTables].flatMap((id) => tableAt.get(firstOf(id)) ?? [])),
    fold,
    weight,
    tableWeight,
  };
}

export function rowsOf({ asked, linker }: TrainingCase): ColumnMatrix {
  return columnMatrix(asked, linker.schema);
}
