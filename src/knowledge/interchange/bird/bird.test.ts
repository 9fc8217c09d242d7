import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, writeCsv } from '../foreign/csv-text.ts';
import { decodeForeignText } from '../read-foreign-files.ts';
import { repairText } from './descriptions.ts';
import { BIRD } from './index.ts';
import { readValueDescription } from './read-value-description.ts';

const FIXTURE = fileURLToPath(new URL('../../../../test/fixtures/interchange/bird', import.meta.url));
const DATA = process.env.CANDOR_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const REAL = join(DATA, 'bird/dev/database_description');

const load = (folder: string, path: string) =>
  decodeForeignText(readFileSync(join(folder, path)), path, { legacyEncoding: BIRD.legacyEncoding });

describe('codes in the description of values', () => {
  it.each([
    [
      '0: no; 1: yes',
      true,
      [
        [0, 'no'],
        [1, 'yes'],
      ],
      '',
    ],
    ['0: N;\n1: Y', true, [], '0: N;\n1: Y'],
    [
      '"A" stands for finished;\n"B" stands for running',
      false,
      [
        ['A', 'finished'],
        ['B', 'running'],
      ],
      '',
    ],
    [
      '• 00 - County Office\n• 02 – State Board',
      false,
      [
        ['00', 'County Office'],
        ['02', 'State Board'],
      ],
      '',
    ],
    [
      '0: disallow 1: allow',
      true,
      [
        [0, 'disallow'],
        [1, 'allow'],
      ],
      '',
    ],
    [
      'F：female\nM：male',
      false,
      [
        ['F', 'female'],
        ['M', 'male'],
      ],
      '',
    ],
    [
      '+: positive\n\n-: negative',
      false,
      [
        ['+', 'positive'],
        ['-', 'negative'],
      ],
      '',
    ],
    [
      'commonsense evidence:\n1 = charter\n0 = no charter',
      true,
      [
        [1, 'charter'],
        [0, 'no charter'],
      ],
      'commonsense evidence:',
    ],
    // Words that stand in every question are no names of codes.
    ['0: is not 1: is', true, [], '0: is not 1: is'],
    // A line that starts like a code and is none makes all of it unsure.
    ['0: mild\n1: severe2: worse', true, [], '0: mild\n1: severe2: worse'],
    ['A: first\nA: second', false, [], 'A: first\nA: second'],
    ['A: same\nB: same', false, [], 'A: same\nB: same'],
    ['rate = Free Count / Count', false, [], 'rate = Free Count / Count'],
    ['Normal range: N < 60', false, [], 'Normal range: N < 60'],
    ['null: unknown\n1: known', true, [], 'null: unknown\n1: known'],
  ] as const)('reads %j', (text, isNumeric, codes, rest) => {
    const read = readValueDescription(text, isNumeric);
    expect(read.values.map(({ value, surface }) => [value, surface[0]])).toEqual(codes);
    expect(read.rest).toBe(rest);
  });
});

describe('repaired text', () => {
  it('puts punctuation of windows-1252 right and counts it', () => {
    expect(repairText('\u0093a\u0094 \u0095\u00a0b  \r\n')).toEqual({
      text: '“a” • b',
      repairedCount: 3,
      lostCount: 0,
    });
  });

  it('counts what was lost before', () => {
    expect(repairText('a\ufffdb').lostCount).toBe(1);
  });
});

describe('BIRD descriptions', () => {
  it('reads files of other programs and reports what it had to settle', () => {
    const files = ['orders.csv', 'Customers.csv', 'legacy.csv'].map((name) =>
      load(FIXTURE, `shop/database_description/${name}`),
    );
    const { models, losses } = BIRD.import(files);
    expect(models.map(({ name }) => name)).toEqual(['shop']);
    expect(losses.map(({ kind, place, what }) => `${kind} ${place}: ${what}`)).toMatchInlineSnapshot(`
      [
        "approximated shop/database_description/Customers.csv:3:1: 3 characters of windows-1252 put right",
        "dropped shop/database_description/Customers.csv:3:1: a cell below no known column",
        "dropped shop/database_description/Customers.csv:5:1: kind stands twice; the first row counts",
        "dropped shop/database_description/Customers.csv:6:1: a row without original_column_name",
        "approximated shop/database_description/legacy.csv: not UTF-8; read as windows-1252, as Windows spreadsheets write",
      ]
    `);
    const [orders, , legacy] = models[0]?.datasets ?? [];
    expect(orders?.fields.map(({ name, description }) => [name, description])).toMatchInlineSnapshot(`
      [
        [
          "OrderId",
          "the id of the order",
        ],
        [
          "Status",
          "where the order stands",
        ],
        [
          "IsGift",
          "whether it is a gift",
        ],
        [
          "Free Count (K-12)",
          "free items
      commonsense evidence:
      free rate = Free Count / Count",
        ],
        [
          "OrderedAt",
          "the day of the order
      in the form YYMMDD",
        ],
      ]
    `);
    expect(legacy?.fields[0]?.description).toContain('it is – or was');
  });

  it('refuses a file without its columns, with its place', () => {
    expect(() => BIRD.import([{ path: 'x.csv', text: 'a,b\n1,2' }])).toThrow(
      'x.csv:1:1: expected the columns original_column_name',
    );
  });

  it('writes what it has read', () => {
    const cell = fc.constantFrom(
      '',
      'the day',
      'a "quoted" word',
      'two\nlines',
      '0: no\n1: yes',
      'B: big, S: small',
      '• x',
    );
    const name = fc.constantFrom(
      'id',
      'Free Count (K-12)',
      'größe',
      'a.b',
      '__proto__',
      'constructor',
      'x"y',
    );
    const row = fc.tuple(name, cell, cell, fc.constantFrom('', 'integer', 'text', 'date'), cell);
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ([column]) => column.toLowerCase() }), (rows) => {
        const header = [
          'original_column_name',
          'column_name',
          'column_description',
          'data_format',
          'value_description',
        ];
        const text = writeCsv([header, ...rows]);
        const { models } = BIRD.import([{ path: 'shop/database_description/t.csv', text }]);
        const written = BIRD.export?.({ models, examples: [] }).files[0];
        expect(written?.path).toBe('shop/database_description/t.csv');
        expect(readCsv(written?.text ?? '', 't.csv').map(({ cells }) => cells)).toEqual([header, ...rows]);
      }),
    );
  });

  it('goes by the words of today where somebody has changed them', () => {
    const file = {
      path: 's/database_description/t.csv',
      text: load(FIXTURE, 'shop/database_description/orders.csv').text,
    };
    const [model] = BIRD.import([file]).models;
    const changed = JSON.parse(JSON.stringify(model).replace('whether it is a gift', 'packed as a gift'));
    expect(BIRD.export?.({ models: [changed], examples: [] }).files[0]?.text).toContain(
      'is gift,packed as a gift,integer,0: no; 1: yes',
    );
  });

  it.skipIf(!existsSync(REAL))('reads every description of BIRD dev', () => {
    const files = readdirSync(REAL).flatMap((database) =>
      readdirSync(join(REAL, database)).map((file) => load(REAL, `${database}/${file}`)),
    );
    const { models, losses } = BIRD.import(files);
    const counts = new Map<string, number>();
    for (const { kind, what } of losses) {
      const key = `${kind}: ${what.replace(/\d+/g, '#').replace(/".*/, '…')}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const fields = models.flatMap(({ datasets }) => datasets.flatMap((dataset) => dataset.fields));
    expect(files).toHaveLength(75);
    expect(models).toHaveLength(11);
    expect(fields).toHaveLength(798);
    expect(fields.filter(({ description }) => description !== undefined)).toHaveLength(679);
    expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
      {
        "approximated: # characters of windows-# put right": 4,
        "approximated: not UTF-#; read as windows-#, as Windows spreadsheets write": 4,
        "approximated: several tables have a field of this name; each is called with its table, as …": 69,
        "dropped: # characters were lost before (�)": 1,
        "dropped: a cell below no known column": 1,
      }
    `);
  });
});
