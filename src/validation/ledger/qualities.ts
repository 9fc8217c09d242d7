/** Words that say how the reply is to look, and what the rows are like or have where they stand elsewhere. */
import { stemOf } from '../../language/index.ts';
import type { Ledger } from './ledger.ts';
import { wordAt } from './verbs.ts';

/** "complete orders" are some of them, "complete names" and "the complete list of orders" are not. */
export function isQualityOfRows(from: number, { asked: { tokens }, parts, content }: Ledger): boolean {
  const word = wordAt(tokens, from);
  if (RELATED.test(word) && isSaidOfRows(from, tokens)) return true;
  const isTable =
    content.get(from + 1)?.isValue === false && parts.tableNames.has(stemOf(wordAt(tokens, from + 1)));
  if (!isTable) return false;
  return QUALITIES.test(word) || (RELATED.test(word) && !DETERMINERS.test(wordAt(tokens, from - 1)));
}

/** "How many employees are related?" */
function isSaidOfRows(from: number, tokens: Ledger['asked']['tokens']): boolean {
  const next = tokens[from + 1]?.kind ?? 'stop';
  return /^(?:is|are|was|were)$/.test(wordAt(tokens, from - 1)) && /^(?:stop|comma)$/.test(next);
}

const QUALITIES = /^(?:exact|correct|actual|full|complete|used|kept)$/;
/** "the related courses" are those of what was named before. */
const RELATED = /^(?:related|relevant|associated)$/;
const DETERMINERS = /^(?:the|a|an|their|its|his|her|all|any|and|each|every|with|of)$/;

/** "employees with a record", "customers without an entry": what somebody has is no form of a reply. */
export function isOwned(from: number, { asked: { tokens } }: Ledger): boolean {
  if (!POSSESSIONS.test(wordAt(tokens, from)) || wordAt(tokens, from + 1) === 'of') return false;
  const isOne = /^(?:a|an|any|no)$/.test(wordAt(tokens, from - 1));
  return isOne && /^(?:with|without|has|have|had|having)$/.test(wordAt(tokens, from - 2));
}

const POSSESSIONS =
  /^(?:record|entry|table|list|result|answer|field|example|report|file|system|case|query|order|thing|object|item|value|code|set|description)$/;
