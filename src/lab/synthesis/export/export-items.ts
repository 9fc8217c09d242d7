import { editContext } from '../context/edit-context.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { BenchItem } from '../items/bench-item.ts';
import { promptKnowledge } from './prompt-knowledge.ts';

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
interface ReshapedTable {
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

// The knowledge of an item as text, in the order of BAR-SQL §2: schema, metrics, rules, stored values; then the question.

const ROLE =
  'You answer questions about a database. Write one SQL query where the question can be answered from what stands below. ' +
  'Where one part of it is vague, ask one short question. Where a metric needs a dimension that the question lacks, ask for it. ' +
  'Where a metric or a dimension does not exist, say so. Think first, inside <think></think>; then the query or the sentence alone, inside <answer></answer>.';

/** What a trainer shows a model for an item; the edits of its context are applied. */
function renderPrompt(item: BenchItem, inventory: Inventory): string {
  const { schema, about } = promptKnowledge(item, inventory);
  const sections = [{ title: 'Schema', text: schema }, ...about, { title: 'Question', text: item.question }];
  return [ROLE, ...sections.map(({ title, text }) => `# ${title}\n${text}`)].join('\n\n');
}
