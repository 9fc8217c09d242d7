/** Which tables the last question is to be asked over instead. */
import type { Catalog } from '../catalog/index.ts';
import type { Route } from '../reasoning/index.ts';
import { nearestNames } from '../sql/index.ts';
import { tablesNamed } from './routing/tables-named.ts';
import { says } from './routing/turn-phrases.ts';
import type { Talk } from './turn.ts';

export type OtherTables =
  /** Undefined: all of them again. */
  | { readonly kind: 'within'; readonly tables: readonly string[] | undefined }
  /** Nothing is named: they are to be chosen. */
  | { readonly kind: 'choose' }
  | { readonly kind: 'unknown'; readonly text: string };

const ALL = /\ball\b(?:\s+of)?(?:\s+the)?\s+tables\b/i;

export function otherTables(
  text: string,
  talk: Pick<Talk, 'within' | 'tables'>,
  { followUp }: Route,
  catalog: Pick<Catalog, 'tables'>,
): OtherTables {
  if (ALL.test(text)) return { kind: 'within', tables: undefined };
  const named = tablesNamed(text, catalog);
  if (named.length === 0) return followUp === 'use_table' ? unknownTable(text, catalog) : { kind: 'choose' };
  const now = talk.within ?? talk.tables;
  if (followUp === 'use_table') return { kind: 'within', tables: named };
  if (says(text, 'addTable')) return { kind: 'within', tables: [...new Set([...now, ...named])] };
  if (says(text, 'dropTable')) {
    const from = talk.within ?? catalog.tables.map(({ id }) => id);
    const left = from.filter((id) => !named.includes(id));
    return left.length > 0
      ? { kind: 'within', tables: left }
      : { kind: 'unknown', text: 'No table would be left. Name one to use, or say “use all tables”.' };
  }
  return { kind: 'within', tables: named };
}

function unknownTable(text: string, { tables }: Pick<Catalog, 'tables'>): OtherTables {
  const word =
    /\btable\s+["'`]?([\w.]+)/i.exec(text)?.[1] ?? /([\w.]+)["'`]?[.!]?$/.exec(text.trim())?.[1] ?? text;
  const near = nearestNames(
    word,
    tables.map(({ name }) => name),
    3,
  );
  const there = near.length === 0 ? '' : ` There is ${near.join(', ')}.`;
  return { kind: 'unknown', text: `There is no table ${word}.${there}` };
}
