/** A quick way to see that two statements differ in their constants only, without parsing them. */
import { type DialectName, lexSql, type Token } from '../../../sql/index.ts';

const SIGN = '?';

/**
 * The tokens of a text with one sign for every constant. Texts that have the same shape text have the same shape; the
 * other way round it need not be so. Numbers behind BY stay: they may be places of columns.
 */
export function shapeText(text: string, dialect: DialectName): string {
  let shape = '';
  let isBehindBy = false;
  let listAt = 0;
  let before: Token | undefined;
  for (const token of lexSql(text, dialect)) {
    if (token.kind === 'space' || token.kind === 'comment') continue;
    if (token.kind === 'word' && token.text.length === 2 && token.text.toUpperCase() === 'BY')
      isBehindBy = true;
    const isConstant =
      token.kind === 'text' ||
      (token.kind === 'number' && !isBehindBy) ||
      (token.kind === 'parameter' && !token.text.startsWith('@'));
    // `IN (1, 2, 3)` is `IN (1)`; every other list keeps its length.
    if (isConstant && listAt === 2) shape = shape.slice(0, -2);
    else shape += isConstant ? `${SIGN} ` : `${token.text} `;
    listAt = nextInList(listAt, token, before, isConstant);
    before = token;
  }
  return shape;
}

/** 0 outside, 1 behind `IN (` or a constant of it, 2 behind the comma after a constant. */
function nextInList(at: number, token: Token, before: Token | undefined, isConstant: boolean): number {
  if (token.text === '(' && before?.text.toUpperCase() === 'IN') return 1;
  if (isConstant) return at === 0 ? 0 : 1;
  return at === 1 && token.text === ',' && before?.text !== '(' ? 2 : 0;
}
