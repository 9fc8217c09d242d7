import type { Session } from '../../session/index.ts';

const MOST = 6;

export interface CanBeAsked {
  readonly text: string;
  /** Questions that have an answer here. */
  readonly examples: readonly string[];
}

/** What a session knows, as an invitation: figures, tables, questions that people have verified. */
export function whatCanBeAsked({ semantics, catalog, examples }: Session): CanBeAsked {
  const figures = semantics.metrics.map(({ name }) => name);
  const by = semantics.dimensions.map(({ name }) => name);
  const tables = catalog.tables.map(({ name }) => name);
  const lines = [
    semantics.description ?? '',
    figures.length === 0 ? '' : `Figures: ${few(figures)}${by.length === 0 ? '' : `, by ${few(by)}`}.`,
    `Tables: ${few(tables)}.`,
    'Ask for figures or rows, which tables hold something, what a word or a query means, or paste a query that fails.',
  ];
  const [first] = tables;
  const verified = examples.slice(0, 3).map(({ question }) => question);
  const counted = first === undefined ? [] : [`How many ${first} are there?`];
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    examples: [...(verified.length > 0 ? verified : counted), 'What tables are there?'],
  };
}

function few(names: readonly string[]): string {
  const more = names.length - MOST;
  return `${names.slice(0, MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
