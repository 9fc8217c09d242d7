/** The operators that PostgreSQL looks up by name for a text, those that are written as words among them. */
import type { Token } from '../lex-sql.ts';
import type { Span } from '../span.ts';

export interface UsedSign {
  readonly sign: string;
  readonly span: Span;
}

const SIGN = /^[-+*/<>=~!@#%^&|`?]+$/;
/** A longer operator may end in + or - only if it holds one of these. */
const MAY_END_IN_SIGN = /[~!@#%^&|`?]/;

/** Words behind which the engine looks up an operator by its sign, as if the sign stood there. */
const BY_WORD: Readonly<Record<string, readonly string[]>> = {
  like: ['~~', '!~~'],
  ilike: ['~~*', '!~~*'],
  similar: ['~', '!~'],
  between: ['>=', '<=', '<', '>'],
  in: ['=', '<>'],
  distinct: ['='],
  nullif: ['='],
  case: ['='],
  using: ['='],
  natural: ['='],
};

/**
 * The signs in a text, cut as the engine cuts them: `a=-1` has `=` and `-`, `a @-@ b` one. A star that stands for columns
 * is none; `starEnds` says where those end.
 */
export function operatorSigns(tokens: readonly Token[], starEnds: ReadonlySet<number>): readonly UsedSign[] {
  const signs: UsedSign[] = [];
  let run = '';
  let start = 0;
  const flush = (): void => {
    for (const sign of cutRun(run)) signs.push({ sign, span: { start, end: start + run.length } });
    run = '';
  };
  for (const token of tokens) {
    if (token.kind !== 'word' && SIGN.test(token.text) && !starEnds.has(token.end)) {
      if (run === '') start = token.start;
      run += token.text;
      continue;
    }
    flush();
    if (token.kind !== 'word') continue;
    const byWord = token.text.toLowerCase();
    if (Object.hasOwn(BY_WORD, byWord))
      for (const sign of BY_WORD[byWord] ?? []) signs.push({ sign, span: token });
  }
  flush();
  return signs;
}

function cutRun(run: string): readonly string[] {
  const signs: string[] = [];
  for (let rest = run; rest !== ''; ) {
    let sign = rest;
    while (sign.length > 1 && /[-+]$/.test(sign) && !MAY_END_IN_SIGN.test(sign)) sign = sign.slice(0, -1);
    signs.push(sign === '!=' ? '<>' : sign);
    rest = rest.slice(sign.length);
  }
  return signs;
}
