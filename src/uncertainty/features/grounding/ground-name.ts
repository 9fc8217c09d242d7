/** How far the words of a name stand in the question and the hint. */
import type { Column, Table } from '../../../catalog/index.ts';
import { splitName } from '../../../reasoning/index.ts';
import type { AskedQuestion } from '../asked-question.ts';
import { shortStem, stemsIn } from './stems-in.ts';

/** The first five grounding features of one table or column; without `item`, of a name that the schema does not have. */
export function groundName(
  name: string,
  item: Column | Table | undefined,
  { words: { question, hint }, hintColumns }: AskedQuestion,
): Float64Array {
  const { stems, described } = item === undefined ? readWords(name, undefined) : wordsOf(item);
  const share = (test: (stem: string) => boolean): number =>
    stems.length === 0 ? Number.NaN : stems.filter(test).length / stems.length;
  const isWritten = (item && hintColumns.has(item.id)) || hint.names.has(name.toLowerCase());
  return Float64Array.of(
    share((stem) => question.set.has(stem)),
    share((stem) => question.set.has(stem) || question.synonyms.has(stem)),
    share((stem) => hint.set.has(stem)),
    Number(isWritten),
    shareDescribed(described, question.content),
  );
}

interface ItemWords {
  readonly stems: readonly string[];
  /** Stems of the description. */
  readonly described: ReadonlySet<string> | undefined;
}

const KNOWN = new WeakMap<Column | Table, ItemWords>();

/** Read once for a table or column: descriptions are long, and the same for every question. */
function wordsOf(item: Column | Table): ItemWords {
  let known = KNOWN.get(item);
  if (known === undefined) {
    known = readWords(item.name, item.comment);
    KNOWN.set(item, known);
  }
  return known;
}

/** What a query writes can be as long as the query. */
const LONGEST_NAME = 200;

function readWords(name: string, comment: string | undefined): ItemWords {
  return {
    stems: splitName(name.slice(0, LONGEST_NAME)).map(shortStem),
    described: comment === undefined ? undefined : new Set(stemsIn(comment)),
  };
}

/** Share of the question's words that the description has. */
function shareDescribed(described: ReadonlySet<string> | undefined, content: ReadonlySet<string>): number {
  if (described === undefined || content.size === 0) return Number.NaN;
  let found = 0;
  for (const stem of content) if (described.has(stem)) found += 1;
  return found / content.size;
}
