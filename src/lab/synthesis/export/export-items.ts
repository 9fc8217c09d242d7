import type { BenchItem } from '../bench-item.ts';
import { editContext } from '../context/edit-context.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { renderPrompt } from './render-prompt.ts';

/** `training`: what `training/` learns from; `questions`: a file for `tests/` of a project. */
export const EXPORT_FORMATS = ['training', 'questions'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A line of training data: the prompt, and what a model should write. */
export interface TrainingLine
  extends Pick<BenchItem, 'id' | 'category' | 'question' | 'gold' | 'goldKind' | 'think' | 'split'> {
  readonly prompt: string;
  /** `<think>…</think><answer>…</answer>` */
  readonly target: string;
  /** Tables in the shape of the item's context, for the reward; absent where they are those of the database. */
  readonly virtualTables?: readonly ReshapedTable[];
}

/** A table that is now a query over itself. */
export interface ReshapedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly sql: string;
}

export function toTrainingLine(item: BenchItem, inventory: Inventory): TrainingLine {
  const { id, category, question, gold, goldKind, think, split, edits } = item;
  const { catalog, queries } = editContext(inventory, edits);
  const virtualTables = catalog.tables.flatMap(({ id: table, name, columns }): ReshapedTable[] => {
    const sql = queries.get(table);
    return sql === undefined ? [] : [{ name, columns: columns.map((column) => column.name), sql }];
  });
  return {
    ...{ id, category, question, gold, goldKind, think, split },
    ...(virtualTables.length > 0 && { virtualTables }),
    prompt: renderPrompt(item, inventory),
    target: `<think>${think}</think><answer>${gold}</answer>`,
  };
}

/**
 * An item as an entry of a question file; undefined where its context differs from that of the project, so that the
 * project itself is due another answer.
 */
export function toQuestion(item: BenchItem): Readonly<Record<string, unknown>> | undefined {
  const { id, category, question, now, due, gold, errorSql, errorMessage, edits } = item;
  if (edits.length > 0) return undefined;
  const expect = due.kind === 'answered' ? { kind: due.kind, sql: gold } : withoutPhrase(due);
  return {
    ...{ id, category, question, now },
    ...(errorSql !== undefined && { errorSql, errorMessage }),
    expect,
  };
}

/** A question file names the gap alone. */
function withoutPhrase(due: Exclude<BenchItem['due'], { readonly kind: 'answered' }>): object {
  return due.kind === 'clarify' ? { kind: due.kind, gap: due.gap } : due;
}
