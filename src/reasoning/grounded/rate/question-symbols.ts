import type { Mention } from '../mention/mention.ts';
import type { Token } from '../read/tokenise.ts';

/** One place of a question: a word of structure as it is, everything that names something as its kind. */
export interface QuestionSymbol {
  readonly symbol: string;
  readonly mention?: Mention;
}

/**
 * A question without the names of its database: words of structure stay, names become what they name. What is learned
 * of such symbols holds for databases that were never seen.
 */
export function questionSymbols(tokens: readonly Token[], mentions: readonly Mention[]): QuestionSymbol[] {
  const at = new Map(mentions.map((mention) => [mention.from, mention]));
  const symbols: QuestionSymbol[] = [];
  for (let place = 0; place < tokens.length; ) {
    const mention = at.get(place);
    const token = tokens[place];
    if (token === undefined) break;
    if (mention === undefined || mention.to <= place) {
      symbols.push({ symbol: token.kind === 'word' ? token.lemma : token.text });
      place += 1;
      continue;
    }
    symbols.push({ symbol: symbolOf(mention), mention });
    place = mention.to;
  }
  return symbols;
}

/** Names that are worse than this are words. */
const NAMED = 0.7;

function symbolOf(mention: Mention): string {
  const [noun] = mention.nouns;
  const [value] = mention.values;
  if (mention.cue !== undefined && (noun?.score ?? 0) < 0.9) return mention.text.toLowerCase();
  if (mention.isQuoted) return 'VALUE';
  if (value !== undefined && value.score > (noun?.score ?? 0)) return 'VALUE';
  if (noun !== undefined && noun.score >= NAMED) return noun.kind === 'table' ? 'TABLE' : 'COLUMN';
  if (mention.number !== undefined) return 'NUMBER';
  if (mention.time !== undefined) return 'TIME';
  return mention.text.toLowerCase();
}
