import { nameWords } from '../../../language/index.ts';
import { type Inventory, lookupWords } from '../inventory/inventory.ts';
import type { KnownWords } from './mutation.ts';

/** Words that say nothing about what is measured: "rate", "average", "number". */
const EMPTY =
  /^(?:rate|ratio|share|average|mean|total|number|count|sum|amount|value|per|of|by|the|a|an|and|in|on|for|to|time|score|level|index|type|cost|price|days?|net|gross)$/i;

/** Collects every word of names, synonyms, comments of dimensions and values of people. */
export function collectKnownWords({ semantics, catalog, entities }: Inventory): KnownWords {
  const words = new Set<string>();
  const add = (text: string): void => {
    for (const word of lookupWords(text)) words.add(word);
  };
  for (const { name, columns } of catalog.tables) {
    for (const word of nameWords(name)) add(word);
    for (const column of columns) for (const word of nameWords(column.name)) add(word);
  }
  for (const { name, synonyms } of [...semantics.metrics, ...semantics.dimensions, ...semantics.datasets])
    for (const text of [name, ...synonyms]) add(text);
  for (const { surface } of semantics.valueMappings) for (const text of surface) add(text);
  for (const { surface } of [...entities.values()].flat()) add(surface);
  for (const { term, meaning } of semantics.jargon) for (const text of [term, meaning]) add(text);
  for (const { term } of semantics.vagueTerms) add(term);
  return {
    knows: (text) => lookupWords(text).some((word) => !EMPTY.test(word) && words.has(word)),
  };
}
