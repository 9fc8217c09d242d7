import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Token, tokenise } from './tokenise.ts';

/** `kind:lower` of each token; numbers show their value, possessives end in `'s`. */
function outline(question: string): string[] {
  return tokenise(question).map(({ kind, lower, number, isPossessive }) =>
    number === undefined ? `${kind}:${lower}${isPossessive ? "'s" : ''}` : `${kind}:${number}`,
  );
}

describe('tokenise', () => {
  const cases: readonly (readonly [question: string, tokens: readonly string[]])[] = [
    ['', []],
    ['  \t ', []],
    ['How many Singers?', ['word:how', 'word:many', 'word:singers', 'stop:?']],
    ['wait...', ['word:wait', 'stop:...']],
    // quotes
    ["named 'Joe Sharp'", ['word:named', 'quoted:joe sharp']],
    ['named "Joe\'s Bar"', ['word:named', "quoted:joe's bar"]],
    ['called “Hey Jude” or ‘Help’', ['word:called', 'quoted:hey jude', 'word:or', 'quoted:help']],
    ['column `order date`', ['word:column', 'quoted:order date']],
    ['"', ['symbol:"']],
    ['an "open quote', ['word:an', 'symbol:"', 'word:open', 'word:quote']],
    ["' padded '", ['quoted:padded']],
    // possessives and apostrophes
    ["Germany's capital", ["word:germany's", 'word:capital']],
    ['Germany’s capital', ["word:germany's", 'word:capital']],
    ["the singers' names", ['word:the', "word:singers's", 'word:names']],
    ["rock 'n' roll", ['word:rock', 'quoted:n', 'word:roll']],
    // numbers
    ['1,234 or 1,234,567.89', ['number:1234', 'word:or', 'number:1234567.89']],
    ['10k 2.5m 3%', ['number:10000', 'number:2500000', 'number:3']],
    ['the 1st and 2nd', ['word:the', 'number:1', 'word:and', 'number:2']],
    ['two or twelve', ['number:2', 'word:or', 'number:12']],
    ['12,34', ['number:12', 'comma:,', 'number:34']],
    ['1,2,3', ['number:1', 'comma:,', 'number:2', 'comma:,', 'number:3']],
    ['$5', ['symbol:$', 'number:5']],
    ['v2 3d 4x4', ['word:v2', 'word:3d', 'word:4x4']],
    ['2023-03-05', ['number:2023', 'symbol:-', 'number:3', 'symbol:-', 'number:5']],
    ['age>=18', ['word:age', 'symbol:>=', 'number:18']],
    // words with joints
    ['e-mail at R&D of U.S', ['word:e-mail', 'word:at', 'word:r&d', 'word:of', 'word:u.s']],
    ['order_id, name; city', ['word:order_id', 'comma:,', 'word:name', 'comma:;', 'word:city']],
    ['AC/DC', ['word:ac', 'symbol:/', 'word:dc']],
    // other scripts
    ['Köln, São Paulo', ['word:köln', 'comma:,', 'word:são', 'word:paulo']],
    ['东京有多少歌手', ['word:东京有多少歌手']],
    ['Сколько певцов?', ['word:сколько', 'word:певцов', 'stop:?']],
    ['best 🎤 singer', ['word:best', 'symbol:🎤', 'word:singer']],
  ];
  it.each(cases)('%j', (question, tokens) => {
    expect(outline(question)).toEqual(tokens);
  });

  it('keeps a quoted text as written and gives its place with the quotes', () => {
    expect(tokenise("is 'Joe Sharp'?")[1]).toMatchObject({ text: 'Joe Sharp', start: 3, end: 14 });
  });

  it('bounds a quoted text, so that a stray quote does not swallow a page', () => {
    const [first] = tokenise(`"${'long '.repeat(60)}"`);
    expect(first).toMatchObject({ kind: 'symbol', text: '"' });
  });

  // What grows with the square of the text would not end within the limit of the test.
  it.each(['a', "'", '1,', 'a.', 'word ', '“', '- '])('reads 100 kB of %j', (unit) => {
    expect(tokenise(unit.repeat(Math.ceil(100_000 / unit.length))).length).toBeGreaterThan(0);
  });
});

/** What stands in the question between the ends of a token, less the marks the token leaves out. */
function bareSlice(question: string, token: Token): string {
  const slice = question.slice(token.start, token.end);
  if (token.kind === 'quoted') return slice.slice(1, -1).trim();
  if (token.kind === 'number') return slice.replace(/(?<=\d)(?:%|st|nd|rd|th|k|m)$/u, '');
  return token.isPossessive ? slice.replace(/['’]s?$/u, '') : slice;
}

describe('the law of offsets', () => {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ..."the Singer's singers' 'Joe Sharp' “x” 1,234.5 10k 3rd 5% U.S. a_b 东京 🎤 é , . ? ( - ' \" ` ’".split(
          ' ',
        ),
      ),
    },
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const question = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));

  it('holds: every token is the slice it names, and tokens tile all that is not space', () => {
    fc.assert(
      fc.property(question, (text) => {
        let end = 0;
        for (const token of tokenise(text)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(end, token.start).trim()).toBe('');
          expect(token.end).toBeGreaterThan(token.start);
          expect(bareSlice(text, token)).toBe(token.text);
          end = token.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
