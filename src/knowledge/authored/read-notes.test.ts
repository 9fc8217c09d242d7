import { describe, expect, it } from 'vitest';
import { catalogNames } from './catalog-names.ts';
import { readNotes } from './read-notes.ts';

const column = (tableId: string, name: string) =>
  ({
    id: `${tableId}.${name.toLowerCase()}`,
    tableId,
    name,
    type: 'TEXT',
    family: 'text',
    isNullable: true,
  }) as const;
const table = (id: string, name: string, ...columns: string[]) =>
  ({
    id,
    name,
    kind: 'table',
    columns: columns.map((one) => column(id, one)),
    primaryKey: [],
    rowCount: 0,
  }) as const;
const names = catalogNames({
  tables: [
    table('orders', 'Orders', 'Id', 'Signed_On'),
    table('sales.items', 'items', 'sku'),
    table('old.orders', 'orders', 'id'),
  ],
});

const textsOf = (text: string): string[] => readNotes(text, 'knowledge/x.md').notes.map((note) => note.text);

describe('readNotes', () => {
  it.each([
    ['list items of every kind', '- a\n* b\n+ c\n1. d\n2) e', ['a', 'b', 'c', 'd', 'e']],
    ['an item over several lines', '- a\n  goes on\nlazily\n- b', ['a goes on lazily', 'b']],
    ['items below an item with it', '- a:\n  - one\n  - two\n    more\n- b', ['a:\n- one\n- two more', 'b']],
    ['an item with a paragraph below it', '- a\n\n  still a\n\nno item', ['a still a', 'no item']],
    ['paragraphs', 'a\nb\n\nc', ['a b', 'c']],
    ['lines that end as on Windows', '- a\r\n- b\r\n\r\nc\r\n', ['a', 'b', 'c']],
    ['a byte order mark', '\uFEFF# Head\n\n- a', ['a']],
    ['quoted text', '> a\n> b', ['a b']],
    [
      'code with its statement',
      'Use this:\n```sql\nSELECT 1;\n- no item\n```\n\nb',
      ['Use this:\nSELECT 1;\n- no item', 'b'],
    ],
    [
      'rows of a table, with their heads',
      '| city | means |\n|---|:-:|\n| Aurora | a \\| b |\n\nc',
      ['city: Aurora; means: a | b', 'c'],
    ],
    ['no comments', '<!-- not\nthis -->\n- a', ['a']],
    ['no rules and headings', '# A\n***\nB\n===\n- a\n\n---\n## C ##\n- b', ['a', 'b']],
    ['nothing of an empty file', '\n\n', []],
  ])('reads %s', (_, text, expected) => expect(textsOf(text)).toEqual(expected));

  it('knows the headings above a note, and its line', () => {
    const text = '# Sales\n\n- a\n\n## Of **cars**\n- b\n### Deep\n- c\n## Other\n- d\nTitle\n---\ne';
    expect(readNotes(text, 'x.md').notes.map(({ topic, place }) => [topic.join(' / '), place])).toEqual([
      ['Sales', 'x.md:3'],
      ['Sales / Of cars', 'x.md:6'],
      ['Sales / Of cars / Deep', 'x.md:8'],
      ['Sales / Other', 'x.md:10'],
      ['Sales / Other', 'x.md:13'],
    ]);
  });

  it('links names in code to tables and columns of the catalog', () => {
    const text = '- `ORDERS.signed_on` is a day; `items` are parts; `orders` and `x = 1` and `nothing.here`';
    const [note] = readNotes(text, 'x.md', names).notes;
    expect(note).toMatchObject({
      kind: 'data',
      columns: ['orders.signed_on'],
      // The id is taken before the name that two tables share.
      tables: ['sales.items', 'orders'],
    });
  });

  it('takes attributes from the head of the file and from behind the note', () => {
    const text = [
      '---',
      'areas: [sales]',
      'tables: [Items, gone]',
      'by: ada',
      'at: 2025-01-31',
      '---',
      '- a',
      '- b <!-- candor: {kind: background, areas: [ops], user: ben, by: cid, columns: [orders.id]} -->',
    ].join('\n');
    const [a, b] = readNotes(text, 'knowledge/x.md', names).notes;
    expect(a).toEqual({
      id: expect.stringMatching(/^x\.md#[0-9a-f]{12}$/),
      text: 'a',
      kind: 'data',
      topic: [],
      areas: ['sales'],
      tables: ['sales.items', 'gone'],
      columns: [],
      by: 'ada',
      at: '2025-01-31',
      place: 'knowledge/x.md:7',
    });
    expect(b).toMatchObject({
      text: 'b',
      kind: 'background',
      areas: ['sales', 'ops'],
      tables: ['sales.items', 'gone', 'orders'],
      columns: ['orders.id'],
      user: 'ben',
      by: 'cid',
    });
    expect(readNotes('---\nuser: ada\n---\n- short, please', 'x.md').notes[0]?.kind).toBe('preference');
  });

  it('keeps the id of a note while its text stays, and those of equal notes apart', () => {
    const idsOf = (text: string): string[] => readNotes(text, 'x.md').notes.map(({ id }) => id);
    const [a, b] = idsOf('- a\n- b');
    expect(idsOf('# Head\n- b\n\n- a')).toEqual([b, a]);
    expect(idsOf('- a\n- a')).toEqual([a, `${a}-2`]);
  });

  it.each([
    ['a file of that name', 'glossary.md', '| x | y |\n|---|---|\n| NEV | a car |', ['NEV = a car']],
    ['a heading of that name', 'x.md', '## Jargon\n- **NEV**: a car\n- just a remark', ['NEV = a car']],
    ['the kind of the file', 'x.md', '---\nkind: jargon\n---\nNEV — no item\n- NEV — a car', ['NEV = a car']],
    [
      'as many words as meanings',
      'jargon.md',
      '| x | y |\n|---|---|\n| BEV, `ICE` | electric, petrol |',
      ['BEV = electric', 'ICE = petrol'],
    ],
    [
      'several words for one thing',
      'jargon.md',
      '| x | y |\n|---|---|\n| EV, NEV | a car, or a van, with a plug |',
      ['EV = a car, or a van, with a plug', 'NEV = a car, or a van, with a plug'],
    ],
  ])('reads jargon by %s', (_, file, text, expected) => {
    expect(readNotes(text, file).jargon.map(({ term, meaning }) => `${term} = ${meaning}`)).toEqual(expected);
  });

  it.each([
    ['front matter without end', '---\nby: ada\n- a', 'x.md:1:1: expected a second line of ---'],
    [
      'an unknown key',
      '---\nby: ada\narea: [x]\n---\n',
      'x.md:3:1: unknown key `area`; did you mean `areas`?',
    ],
    ['an unknown kind', '---\nkind: rule\n---\n', 'x.md:2:1: kind: '],
    ['half-written YAML', '---\nareas: [sales\n---\n', 'x.md:2:'],
    ['no day', '---\nat: yesterday\n---\n', 'x.md:2:1: at: expected a day, YYYY-MM-DD'],
    ['a long note', `a\n\n- ${'x'.repeat(2_001)}`, 'x.md:3:1: 2001 characters; expected 2,000 at most'],
    ['code without end', 'a\n\n```\nb', 'x.md:3:1: a code block without its closing ```'],
    ['a comment without end', 'a\n<!-- b', 'x.md:2:1: a comment without its closing -->'],
    [
      'an unknown attribute',
      '\n- a <!-- candor: {usr: ada} -->',
      'x.md:2:3: unknown key `usr`; did you mean `user`?',
    ],
    ['text behind the attributes', '- a <!-- candor: {} --> b', 'x.md:1:1: expected <!-- candor: {…} -->'],
    ['attributes without end', '- a <!-- candor: {', 'x.md:1:1: expected <!-- candor: {…} -->'],
    ['deep YAML', `---\n${'['.repeat(20_000)}\n---\n`, 'x.md:'],
  ])('refuses %s with its place', (_, text, message) => {
    expect(() => readNotes(text, 'x.md')).toThrow(
      expect.objectContaining({ code: 'knowledge.invalid', message: expect.stringContaining(message) }),
    );
  });

  it('refuses jargon without two filled columns', () => {
    expect(() => readNotes('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |', 'jargon.md')).toThrow(
      'jargon.md:3:1: expected two filled columns, a term and its meaning, not 3',
    );
    expect(() => readNotes('| a | b |\n|---|---|\n| 1 | |', 'jargon.md')).toThrow('jargon.md:3:1');
  });
});
