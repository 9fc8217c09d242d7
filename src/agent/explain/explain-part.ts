import type { TurnDesk } from '../open-turn-desk.ts';
import { type Served, type ServedTurn, said } from '../served.ts';
import type { LastQuery } from '../turn.ts';
import { explainQuery } from './explain-query.ts';

type Part = NonNullable<LastQuery['parts']>[number];

/** Words of a question that point at a kind of part rather than at a name. */
const KINDS: readonly (readonly [asked: RegExp, part: RegExp])[] = [
  [/\bjoin(?:s|ed)?\b/i, /\bon\b/i],
  [/\b(?:filter(?:s|ed)?|conditions?|where clause)\b/i, /(?:[=<>]|\bLIKE\b|\bIN\b|\bBETWEEN\b|\bIS\b)/i],
  [/\b(?:distinct|twice|duplicates)\b/i, /\bDISTINCT\b/i],
];
const COMMON = new Set(
  `why is are was were the that this there here what where does did you do use used in it for column columns join joined joins filter
  filters filtered condition query result table tables and not a an of by come from needed included have group grouped order`.split(
    /\s+/,
  ),
);

/** Why a part of the last query stands there: by the words or the rule that caused it, as the answer was given. */
export async function explainPart(asked: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { turn, talk } = asked;
  const { lastQuery, mended } = talk;
  if (lastQuery === undefined || mended !== undefined)
    return mended === undefined
      ? said('There is no query yet whose parts could be explained. Ask a question first.', talk)
      : explainQuery(undefined, asked, desk);
  const parts = lastQuery.parts ?? [];
  const meant = partsMeant(turn.text, parts);
  const told = meant.length > 0 ? meant : parts;
  if (told.length === 0) return explainQuery(undefined, asked, desk);
  const lines = told.map(({ sql, because }) => `${sql} is there because of ${because}.`);
  const head = meant.length > 0 ? [] : ['Every part of the query, with what caused it:'];
  return said([...head, ...lines].join('\n'), talk, ['Explain this query']);
}

/** Parts that the question names; where it names none, those of the kind it asks for. */
function partsMeant(text: string, parts: readonly Part[]): readonly Part[] {
  const words = (text.toLowerCase().match(/\p{L}[\p{L}\p{N}_]*/gu) ?? []).filter((word) => !COMMON.has(word));
  const isNamed = ({ sql }: Part): boolean => {
    const names = sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    return words.some((word) =>
      names.some(
        (name) =>
          name === word || name.split('_').includes(word) || `${name}s` === word || name === `${word}s`,
      ),
    );
  };
  const named = parts.filter(isNamed);
  if (named.length > 0) return named;
  const kind = KINDS.find(([asked]) => asked.test(text));
  return kind === undefined ? [] : parts.filter(({ sql }) => kind[1].test(sql));
}
