import { splitName } from '../../../../language/index.ts';
import type { Comparison } from '../../../../sql/index.ts';
import { isNumeric } from '../../resolve/noun-candidates.ts';
import { columnOf, type Phrase, type PhraseContext, textFrom, tokensIn, whereMeaning } from './phrase.ts';

const FORMS: readonly { readonly pattern: RegExp; readonly operator: Comparison }[] = [
  { pattern: /^(?:out of stock|sold out|not in stock)\b/, operator: '=' },
  { pattern: /^(?:still )?in stock\b/, operator: '>' },
];

/** "out of stock", "in stock": how many pieces there are. */
export function stock(context: PhraseContext): readonly Phrase[] {
  const { tokens, knowledge, named } = context;
  for (let from = 0; from < tokens.length; from += 1) {
    const rest = textFrom(tokens, from);
    const form = FORMS.find(({ pattern }) => pattern.test(rest));
    if (form === undefined || isMeasured(tokens[from - 1]?.lower ?? '')) continue;
    for (const tableId of named) {
      const [column, second] = knowledge.graph
        .table(tableId)
        .columns.filter((one) => isNumeric(one) && isStockLevel(one.name));
      if (column === undefined || second !== undefined) continue;
      const left = columnOf(column, knowledge);
      const predicate = {
        kind: 'compare' as const,
        operator: form.operator,
        left,
        right: { kind: 'literal' as const, value: 0 },
      };
      const length = tokensIn(form.pattern.exec(rest)?.[0] ?? '');
      return [{ from, to: from + length, meaning: whereMeaning(predicate, tableId), tableId }];
    }
  }
  return [];
}

/** "units in stock" is the name of a column. */
function isMeasured(before: string): boolean {
  return /^(?:units?|quantity|amount|number|pieces?|items?|value|level)$/.test(before);
}

function isStockLevel(name: string): boolean {
  const words = splitName(name);
  return words.includes('stock') || (words.includes('hand') && words.includes('on'));
}
