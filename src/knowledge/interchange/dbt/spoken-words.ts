/** Names that people say beside the identifiers of dbt: labels, and synonyms in `meta`. */

import { plainName } from '../conversion/names.ts';
import type { ForeignRecord } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';

/** The identifier for a spoken name: `Order status` is `order_status`. */
export function dbtName(name: string): string {
  // Two underscores part an entity from its dimension.
  return plainName(name).replace(/_{2,}/g, '_').toLowerCase();
}

/** What is said for an identifier: its label, where that is the same words. */
export function readSpoken(name: string, label: string | undefined): string {
  return label !== undefined && label !== name && dbtName(label) === name ? label : name;
}

/** `meta.synonyms`, at the top or under `config`. */
export function synonymsIn(record: ForeignRecord): readonly string[] {
  const config = isRecord(record.config) ? record.config : {};
  return [config.meta, record.meta].flatMap((meta) => {
    const words = isRecord(meta) ? meta.synonyms : undefined;
    return Array.isArray(words) ? words.filter((word): word is string => typeof word === 'string') : [];
  });
}

/** The properties with other synonyms, under `config.meta` as dbt wants it. */
export function withSynonyms(record: ForeignRecord, synonyms: readonly string[]): ForeignRecord {
  if (synonymsIn(record).join('\n') === synonyms.join('\n')) return record;
  const config = isRecord(record.config) ? record.config : {};
  const meta = isRecord(config.meta) ? config.meta : {};
  return { ...record, config: { ...config, meta: { ...meta, synonyms: [...synonyms] } } };
}
