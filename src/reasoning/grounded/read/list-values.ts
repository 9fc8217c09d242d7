import type { Column } from '../../../catalog/index.ts';

const SEPARATOR = /\s*[,;|]\s*/;

/** The things that the texts of a column are lists of: "Trailers,Commentaries" and "Trailers" hold two. None of a column of plain texts. */
export function listParts({ family, profile }: Pick<Column, 'family' | 'profile'>): ReadonlySet<string> {
  const texts = profile?.allValues ?? profile?.examples ?? [];
  const lists = texts.map((text) => text.split(SEPARATOR));
  const parts = new Set(lists.flat());
  const many = lists.filter(({ length }) => length > 1).length;
  // "Salem, OR" and "Doe, Jane": as many different parts as texts.
  const isList = family === 'text' && many >= 3 && many * 2 >= texts.length && parts.size < texts.length;
  return isList ? parts : NONE;
}

const NONE: ReadonlySet<string> = new Set();
