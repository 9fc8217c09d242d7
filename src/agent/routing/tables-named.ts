import type { Catalog } from '../../catalog/index.ts';
import { nameWords } from '../../language/index.ts';

/** Ids of the tables whose names stand in a text as whole words, in any case, singular or plural; longest names first. */
export function tablesNamed(text: string, { tables }: Pick<Catalog, 'tables'>): readonly string[] {
  let rest = ` ${wordsOf(text)} `;
  const found: { readonly id: string; readonly at: number }[] = [];
  const named = tables
    .map(({ id, name }) => ({ id, words: wordsOf(name) }))
    .filter(({ words }) => words !== '')
    .sort((a, b) => b.words.length - a.words.length);
  for (const { id, words } of named) {
    const form = formsOf(words).find((one) => rest.includes(` ${one} `));
    if (form === undefined) continue;
    found.push({ id, at: rest.indexOf(` ${form} `) });
    // Of the same length, so that places stay comparable.
    rest = rest.replace(` ${form} `, ` ${'·'.repeat(form.length)} `);
  }
  return found.sort((a, b) => a.at - b.at).map(({ id }) => id);
}

function wordsOf(name: string): string {
  return nameWords(name).join(' ');
}

function formsOf(words: string): readonly string[] {
  const singular = words.replace(/(?<=\p{L}{2})ies$/u, 'y').replace(/(?<=[^s])s$/, '');
  return [...new Set([words, singular, `${words}s`])];
}
