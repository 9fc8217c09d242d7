/** The knowledge of an item as text, in the order of BAR-SQL §2: schema, metrics, rules, stored values; then the question. */
import type { BenchItem } from '../bench-item.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { promptKnowledge } from './prompt-knowledge.ts';

const ROLE =
  'You answer questions about a database. Write one SQL query where the question can be answered from what stands below. ' +
  'Where one part of it is vague, ask one short question. Where a metric needs a dimension that the question lacks, ask for it. ' +
  'Where a metric or a dimension does not exist, say so. Think first, inside <think></think>; then the query or the sentence alone, inside <answer></answer>.';

/** What a trainer shows a model for an item; the edits of its context are applied. */
export function renderPrompt(item: BenchItem, inventory: Inventory): string {
  const { schema, about } = promptKnowledge(item, inventory);
  const sections = [{ title: 'Schema', text: schema }, ...about, { title: 'Question', text: item.question }];
  return [ROLE, ...sections.map(({ title, text }) => `# ${title}\n${text}`)].join('\n\n');
}
