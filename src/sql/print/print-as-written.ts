/** Prints a node by its own source: what stands between the nodes below it stays as written, comments apart. */
import type { Token } from '../dialects/lex-sql.ts';
import { firstFrom, inTextOrder } from './own-words.ts';
import type { Part, PrintableNode, PrintContext, Source } from './printable.ts';

/** `below` are printed by `print`; everything else of the node comes from the source. */
export function printAsWritten(
  node: PrintableNode,
  below: readonly PrintableNode[],
  { source, print }: { readonly source: Source; readonly print: (node: PrintableNode) => string },
): string {
  const inside = inTextOrder(below);
  if (inside.some((child) => cutsToken(source, child))) return sourceText(source, node.start, node.end);
  let text = '';
  let at = node.start ?? 0;
  for (const child of inside) {
    text += sourceText(source, at, child.start) + print(child);
    at = Math.max(at, child.end ?? 0);
  }
  return (text + sourceText(source, at, node.end)).trim();
}

/** A part of the source with every run of white space and comments as one space. */
export function sourceText({ tokens }: Source, start = 0, end = 0): string {
  let text = '';
  for (let at = firstFrom(tokens, start); at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (token.start >= end) break;
    const isSpace = token.kind === 'space' || token.kind === 'comment';
    text += isSpace ? spaceFor(token, text) : token.text.slice(0, end - token.start);
  }
  return text;
}

/** A line break stays: texts beside each other are one only across lines in PostgreSQL. */
function spaceFor(token: Token, before: string): string {
  if (before.endsWith('\n')) return '';
  if (token.text.includes('\n') && before.endsWith("'")) return '\n';
  return before.endsWith(' ') ? '' : ' ';
}

/** Names inside one pair of quotes, `>>` that closes two types. */
function cutsToken({ tokens }: Source, node: PrintableNode): boolean {
  const begins = tokens[firstFrom(tokens, node.start ?? 0)];
  const last = tokens[firstFrom(tokens, node.end ?? 0) - 1];
  return begins?.start !== node.start || (last !== undefined && last.end > (node.end ?? 0));
}

/**
 * The node's source, the nodes below it included: for types that keep less than their text says. Without a source
 * there is only the value.
 */
export function printSource(node: PrintableNode, { source }: PrintContext): readonly Part[] {
  if (source === undefined) return [node.value ?? ''];
  return [sourceText(source, node.start, node.end).trim()];
}
