/** One node to text: its layout by type, or its source where the layout would say less. */

import type { DialectName } from '../dialect.ts';
import { GRAMMARS } from '../parser/grammars.ts';
import { FORMS } from './dialect-forms.ts';
import { CALLS, layOutCall } from './lay-out-calls.ts';
import { CLAUSES } from './lay-out-clauses.ts';
import { EXPRESSIONS } from './lay-out-expressions.ts';
import { LITERALS } from './lay-out-literals.ts';
import { NAMES } from './lay-out-names.ts';
import { layOutBinary, OPERATORS } from './lay-out-operators.ts';
import { QUERIES } from './lay-out-queries.ts';
import { RELATIONS } from './lay-out-relations.ts';
import { signOf } from './operator-sign.ts';
import { unprintedWords } from './own-words.ts';
import { printAsWritten, sourceText } from './print-as-written.ts';
import type { LayOut, Part, PrintableNode, PrintContext, Source } from './printable.ts';

export function contextOf(dialect: DialectName, source?: Source): PrintContext {
  return { dialect, grammar: GRAMMARS[dialect], forms: FORMS[dialect], source };
}

/** The node as SQL of the context's dialect, in one line: `printNode(tree.root, contextOf('sqlite', tree))`. */
export function printNode(node: PrintableNode, context: PrintContext): string {
  const { source } = context;
  // Steps stay as written, since the nodes stand for them in another form.
  if (source !== undefined && node.flags.pipe !== undefined) return sourceText(source, node.start, node.end);
  const parts = partsOf(node, context);
  const print = (below: PrintableNode): string => printNode(below, context);
  if (source !== undefined && unprintedWords(node, parts, context).length > 0) {
    return printAsWritten(node, nodesOf(parts), { source, print });
  }
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : print(part);
  return text;
}

/** What a node prints, the nodes below it still as nodes. */
export function partsOf(node: PrintableNode, context: PrintContext): readonly Part[] {
  const isCall = node.flags.call !== undefined;
  const layOut = (isCall ? CALLS : LAY_OUTS)[node.type];
  if (layOut !== undefined) return layOut(node, context);
  if (!isCall && signOf(node, context) !== undefined) return layOutBinary(node, context);
  return layOutCall(node);
}

export function nodesOf(parts: readonly Part[]): readonly PrintableNode[] {
  return parts.filter((part): part is PrintableNode => typeof part !== 'string');
}

const LAY_OUTS: Readonly<Record<string, LayOut>> = {
  ...QUERIES,
  ...RELATIONS,
  ...CLAUSES,
  ...NAMES,
  ...LITERALS,
  ...OPERATORS,
  ...EXPRESSIONS,
};
