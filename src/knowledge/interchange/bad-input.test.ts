import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import type { ForeignFile } from './foreign/conversion.ts';
import { openForeign } from './foreign/foreign-document.ts';
import { findFormat } from './formats.ts';
import { importKnowledge } from './import-knowledge.ts';
import { decodeForeignText, readForeignFiles } from './read-foreign-files.ts';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/interchange/', import.meta.url));

/** The message of the refusal; anything else that is thrown is a bug and goes on. */
function refusal(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof CandorError && error.code === 'interchange.invalid') return error.message;
    throw error;
  }
}

const importText = (format: string, text: string, path = 'a.yml') =>
  refusal(() => importKnowledge(findFormat(format), [{ path, text }]));

describe('faults name file, line and column, and what is expected', () => {
  it.each([
    [
      'cortex',
      'name: a\ntables:\n  - name: t\n    base_table: {table: T}\n    synonims: [x]\n',
      'a.yml:5:5: unknown key `synonims`; did you mean `synonyms`?',
    ],
    ['cortex', 'name: a\ntables:\n  - name: t\n    base_table: {table: T\n', 'a.yml:5:1: '],
    ['cortex', 'name: a\ntables: 3\n', 'a.yml:2:1: tables: Invalid input: expected array, received number'],
    ['cortex', 'name: a\nname: b\ntables: []\n', 'a.yml:2:1: key `name` stands twice'],
    ['osi', 'version: 1\n', 'a.yml:1:1: expected `semantic_model`'],
    ['osi', 'semantic_model: []\n', 'expected at least one model'],
    [
      'osi',
      'semantic_model:\n  - name: a\n    datasets:\n      - {name: o, source: o}\n    relationships:\n      - {name: r, from: o, to: o, from_columns: [a, b], to_columns: [a]}\n',
      'a.yml:6:57: expected 2 columns, as in `from_columns`',
    ],
    [
      'cube',
      'cubes:\n  - name: a\n    extends: b\n  - name: b\n    extends: a\n',
      'a.yml:5:5: cubes extend each other in a circle: a → b → a',
    ],
    ['cube', 'cubes:\n  - name: a\n  - name: a\n', 'a.yml:3:5: cube a stands at a.yml:2:5 already'],
    ['cube', 'a: &a [x]\n__proto__: *a\n', 'a.yml:2:1: key `__proto__` is refused'],
    ['cube', `${'['.repeat(5_000)}`, 'nested deeper than 200 levels'],
    ['cube', `${'- '.repeat(5_000)}x`, 'nested deeper than 200 levels'],
    ['cube', 'a: 1\n<<: 2\n', 'a.yml:2:1: Merge sources must be maps'],
    ['cube', '--- {}\n--- {}\n', 'a.yml:2:1: a second document'],
  ])('%s %j', (format, text, message) => {
    expect(importText(format, text)).toContain(message);
  });

  it.each([
    ['view: a {\n  dimension: b {\n', 'a.lkml:3:1: expected `}` at the end of `b`'],
    ['view: a {\n  sql_table_name: x\n}', 'a.lkml:2:19: expected `;;` at the end of `sql_table_name`'],
    ['view: a { label: "b }', 'a.lkml:1:18: a text without its closing quote'],
    ['view a {}', 'a.lkml:1:6: expected `:` after `view`'],
    ['view: a {}\nview: a {}', 'a.lkml:2:1: view a stands in a.lkml already'],
    [
      'view: a { extends: [b] }\nview: b { extends: [a] }',
      'a.lkml:2:1: views extend each other in a circle: a → b → a',
    ],
    [`${'a: b {'.repeat(3_000)}`, 'nested deeper than 200 levels'],
    [']', 'a.lkml:1:1: expected a key such as `view`'],
  ])('lookml %j', (text, message) => {
    expect(importText('lookml', text, 'a.lkml')).toContain(message);
  });

  it.each([
    ['{"semantic_model": [}', 'a.json:1:21: broken JSON'],
    ['{"a": 1', 'a.json:1:8: broken JSON'],
    ['{"version": "1", "semantic_model": [{"name": 3}]}', 'a.json:1:38: name: '],
    [`${'['.repeat(5_000)}`, 'nested deeper than 200 levels'],
    ['{"__proto__": {}}', 'a.json:1:2: key `__proto__` is refused'],
  ])('JSON %j', (text, message) => {
    expect(importText('osi', text, 'a.json')).toContain(message);
  });

  it('refuses anchors that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`,
    );
    expect(importText('cube', `a0: &a0 [x]\n${levels.join('\n')}\n`)).toContain('a.yml:1:1: ');
  });

  it('members that name each other without end are no dimensions', () => {
    const text =
      'cubes:\n  - name: a\n    dimensions:\n      - {name: x, sql: "{y}"}\n      - {name: y, sql: "{x} + {x}"}\n';
    const { losses } = importKnowledge(findFormat('cube'), [{ path: 'a.yml', text }]);
    expect(losses.map(({ what }) => what)).toEqual([
      'dimension x is no column; it takes no part in questions',
      'dimension y is no column; it takes no part in questions',
    ]);
  });

  it('joins in a circle are reported where they stand', () => {
    const link = (name: string, from: string, to: string) =>
      `      - {name: ${name}, from: ${from}, to: ${to}, from_columns: [x], to_columns: [x]}\n`;
    const text = `semantic_model:\n  - name: m\n    datasets: [{name: a, source: a}, {name: b, source: b}]\n    relationships:\n${link('ab', 'a', 'b')}${link('ba', 'b', 'a')}${link('aa', 'a', 'a')}`;
    const { losses } = importKnowledge(findFormat('osi'), [{ path: 'a.yml', text }]);
    expect(losses).toEqual([
      { kind: 'kept', place: 'a.yml:5:9', what: expect.stringContaining('joins form a circle: ab → ba') },
    ]);
  });
});

describe('text', () => {
  const bytes = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

  it('is UTF-8, with or without a mark', () => {
    expect(decodeForeignText(bytes(0xef, 0xbb, 0xbf, 'añ'), 'a').text).toBe('añ');
  });

  it.each([
    ['Latin-1', bytes('ab\ncd', 0xe9, 'f'), 'a:2:3: byte 5 (0xe9) is not UTF-8'],
    ['a cut sequence', bytes('a', 0xe2, 0x82), 'a:1:2: byte 1 (0xe2) is not UTF-8'],
    ['an overlong one', bytes(0xc0, 0xaf), 'a:1:1: byte 0 (0xc0) is not UTF-8'],
    ['a surrogate', bytes(0xed, 0xa0, 0x80), 'a:1:1: byte 0 (0xed) is not UTF-8'],
    ['UTF-16', bytes(0xff, 0xfe, 0x61, 0), 'a:1:1: this is UTF-16'],
  ])('%s is refused with the place of the byte', (_, content, message) => {
    expect(refusal(() => decodeForeignText(content, 'a'))).toContain(message);
  });

  it('finds the same first bad byte as the decoder refuses', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (content) => {
        const message = refusal(() => decodeForeignText(content, 'a'));
        const isUtf16 = message.includes('UTF-16');
        const isValid = Buffer.from(content).equals(Buffer.from(Buffer.from(content).toString('utf8')));
        expect(message === 'accepted').toBe(isValid && !isUtf16);
      }),
    );
  });

  it('keeps whole numbers that a float cannot hold', () => {
    expect(openForeign({ path: 'a.yml', text: 'a: 9007199254740993\nb: 12' }).value).toEqual({
      a: '9007199254740993',
      b: 12,
    });
  });
});

describe('files that somebody broke', () => {
  it.each(['osi', 'cortex', 'cube', 'lookml'])('%s: refused or read, never anything else', async (name) => {
    const format = findFormat(name);
    const files = await readForeignFiles(format, [`${FIXTURES}${name}`], '/');
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(), (edits, which) => {
        const broken = files.map((file, index) =>
          index === which % files.length ? edits.reduce(apply, file) : file,
        );
        refusal(() => importKnowledge(format, broken));
      }),
      { numRuns: 150 },
    );
  });
});

/** Cut, double, put in or swap something at a place given as a part of the text. */
const edit = fc.record({
  kind: fc.constantFrom('cut', 'double', 'insert', 'truncate'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  text: fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    '- ',
    '"',
    "'",
    '\n',
    '  ',
    '${',
    '{CUBE',
    ';;',
    '&a ',
    '*a',
    '<<: ',
    'null',
    '0',
    '|',
    '\t',
    '\u0000',
    '/*',
    '--',
    '((',
    'SELECT ',
  ),
});

function apply(
  file: ForeignFile,
  { kind, at, length, text: inserted }: typeof edit extends fc.Arbitrary<infer T> ? T : never,
): ForeignFile {
  const { text } = file;
  const start = Math.floor(at * text.length);
  const [before, inside, after] = [
    text.slice(0, start),
    text.slice(start, start + length),
    text.slice(start + length),
  ];
  const changed = {
    cut: before + after,
    double: before + inside + inside + after,
    insert: before + inserted + inside + after,
    truncate: before,
  }[kind];
  return { ...file, text: changed ?? text };
}
