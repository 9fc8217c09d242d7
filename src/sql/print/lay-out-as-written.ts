import { sourceText } from './print-as-written.ts';
import type { Part, PrintableNode, PrintContext } from './printable.ts';

/**
 * The node's source, the nodes below it included: for types that keep less than their text says. Without a source
 * there is only the value.
 */
export function layOutAsWritten(node: PrintableNode, { source }: PrintContext): readonly Part[] {
  if (source === undefined) return [node.value ?? ''];
  return [sourceText(source, node.start, node.end).trim()];
}
