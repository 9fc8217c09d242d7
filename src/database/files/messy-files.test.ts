import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { utils, type WorkBook, type WorkSheet, write } from '@e965/xlsx';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './file-source.ts';
import { loadGroup } from './load-tables.ts';
import { readWorkbook } from './workbook.ts';

let instance: DuckDBInstance;
let folder = '';

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => instance.closeSync());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-messy-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The tables of the files, each as its columns, its rows in their order and what was said about it. */
async function load(files: Files): Promise<Record<string, unknown>> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'data', name), content);
  const connection = await instance.connect();
  const taken = new Set<string>();
  const tables: Record<string, unknown> = {};
  try {
    for (const group of listFiles(`files:${join(folder, 'data')}`))
      for (const { name, notes } of await loadGroup(group, { connection, folder, taken })) {
        const columns = await connection.runAndReadAll(`DESCRIBE "${name}"`);
        const rows = await connection.runAndReadAll(`FROM "${name}" ORDER BY ALL`);
        tables[name] = {
          columns: columns.getRows().map(([column, type]) => `${String(column)} ${String(type)}`),
          rows: rows.getRowsJson(),
          notes,
        };
      }
  } finally {
    connection.closeSync();
  }
  return tables;
}

interface Case {
  readonly what: string;
  readonly text: string | Uint8Array;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly notes?: readonly string[];
}

const UTF16_MARK = Buffer.from([0xff, 0xfe]);
const THOUSANDS = 'numbers with a comma between thousands';
const DECIMALS = 'numbers with a comma before decimals';

const TEXTS: readonly Case[] = [
  {
    what: 'a German export with the separator in its first line, where 1.234 is a thousand',
    text: Buffer.from('sep=;\r\nOrt;Menge;Preis\r\nKöln;1.234;1.234,50\r\nUlm;12.000;0,99\r\n', 'latin1'),
    columns: ['ort VARCHAR', 'menge BIGINT', 'preis DOUBLE'],
    rows: [
      ['Köln', '1234', 1234.5],
      ['Ulm', '12000', 0.99],
    ],
    notes: [
      'read as windows-1252',
      '1 lines above the header left out',
      `menge: ${DECIMALS}`,
      `preis: ${DECIMALS}`,
    ],
  },
  {
    what: 'three decimals beside a semicolon',
    text: 'a;kg;b\nx;1,234;5,5\ny;2,500;6,25\n',
    columns: ['a VARCHAR', 'kg DOUBLE', 'b DOUBLE'],
    rows: [
      ['x', 1.234, 5.5],
      ['y', 2.5, 6.25],
    ],
  },
  {
    what: 'a point before decimals that another column proves, beside a semicolon',
    text: 'a;b\n1.234;5.5\n2.500;6.25\n',
    columns: ['a DOUBLE', 'b DOUBLE'],
    rows: [
      [1.234, 5.5],
      [2.5, 6.25],
    ],
  },
  {
    what: 'thousands in quotes between commas',
    text: 'a,n\nx,"1,234"\ny,"2,500"\n',
    columns: ['a VARCHAR', 'n BIGINT'],
    rows: [
      ['x', '1234'],
      ['y', '2500'],
    ],
    notes: [`n: ${THOUSANDS}`],
  },
  {
    what: 'blanks of French programs between thousands',
    text: '\uFEFFa;n\nx;1\u00a0234,56 €\ny;2\u202f000,00 €\n',
    columns: ['a VARCHAR', 'n DOUBLE'],
    rows: [
      ['x', 1234.56],
      ['y', 2000],
    ],
  },
  {
    what: 'a minus behind the amount, as SAP writes it',
    text: 'no\tamount\n0001\t1.234,50-\n0002\t20,00 \n',
    columns: ['no VARCHAR', 'amount DOUBLE'],
    rows: [
      ['0001', -1234.5],
      ['0002', 20],
    ],
  },
  {
    what: 'an order of day and month that another column proves',
    text: 'a,b\n01/02/2024,01/25/2024\n03/04/2024,02/26/2024\n',
    columns: ['a DATE', 'b DATE'],
    rows: [
      ['2024-01-02', '2024-01-25'],
      ['2024-03-04', '2024-02-26'],
    ],
  },
  {
    what: 'numbers with more digits than a number keeps',
    text: 'id,n\n12345678901234567890,1\n12345678901234567891,2\n',
    columns: ['id VARCHAR', 'n BIGINT'],
    rows: [
      ['12345678901234567890', '1'],
      ['12345678901234567891', '2'],
    ],
    notes: [],
  },
  {
    what: 'truth beside nothing',
    text: 'a,b\nTRUE,1\n,2\nFALSE,3\n',
    columns: ['a BOOLEAN', 'b BIGINT'],
    rows: [
      [false, '3'],
      [true, '1'],
      [null, '2'],
    ],
  },
  {
    what: 'quotes behind a backslash',
    text: 'id,remark,n\n1,"he said \\"hi\\"",5\n2,"a \\"b, c\\" d",6\n',
    columns: ['id BIGINT', 'remark VARCHAR', 'n BIGINT'],
    rows: [
      ['1', 'he said "hi"', '5'],
      ['2', 'a "b, c" d', '6'],
    ],
    notes: [],
  },
  {
    what: 'line ends in quotes, also in a title and in the header',
    text: '"a title\nof two lines",\n"Order\nID",b\n1,"x\n\ny"\n2,z\n',
    columns: ['order_id BIGINT', 'b VARCHAR'],
    rows: [
      ['1', 'x\n\ny'],
      ['2', 'z'],
    ],
  },
  {
    what: 'comments, and what a program writes below its table',
    text: '# made by a program\nid,name,n\n1,a,5\n# in between\n2,b,6\n(2 rows affected)\n',
    columns: ['id BIGINT', 'name VARCHAR', 'n BIGINT'],
    rows: [
      ['1', 'a', '5'],
      ['2', 'b', '6'],
    ],
    notes: [
      '1 lines above the header left out',
      'lines that are no rows left out: 2, the first is line 4: # in between',
    ],
  },
  {
    what: 'a last row that adds up the others',
    text: 'region,units,price\nNorth,5,2.5\nSouth,6,3.5\nTotal,11,\n',
    columns: ['region VARCHAR', 'units BIGINT', 'price DOUBLE'],
    rows: [
      ['North', '5', 2.5],
      ['South', '6', 3.5],
    ],
    notes: ['a row that adds up the others left out'],
  },
  {
    what: 'a sum below dates and amounts as people write them',
    text: 'Tag;Betrag\n31.01.2024;1.000,50\n01.02.2024;2,25\nSumme:;1.002,75\n',
    columns: ['tag DATE', 'betrag DOUBLE'],
    rows: [
      ['2024-01-31', 1000.5],
      ['2024-02-01', 2.25],
    ],
  },
  {
    what: 'a total that adds up nothing',
    text: 'brand,units\nTotal,7\nShell,6\nAral,5\n',
    columns: ['brand VARCHAR', 'units BIGINT'],
    rows: [
      ['Aral', '5'],
      ['Shell', '6'],
      ['Total', '7'],
    ],
    notes: ['one of its rows is called a total; it does not add up the others, and was kept'],
  },
  {
    what: 'a separator at the end of each line',
    text: 'a;b;\n1;2;\n3;4;\n',
    columns: ['a BIGINT', 'b BIGINT'],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
    notes: [],
  },
  {
    what: 'a header that names two columns alike',
    text: 'id,amount,amount\n1,5,6\n2,7,8\n',
    columns: ['id BIGINT', 'amount BIGINT', 'amount_2 BIGINT'],
    rows: [
      ['1', '5', '6'],
      ['2', '7', '8'],
    ],
    notes: [],
  },
  {
    what: 'a header with gaps',
    text: 'id,,name,\n1,5,x,7\n2,6,y,8\n',
    columns: ['id BIGINT', 'column_2 BIGINT', 'name VARCHAR', 'column_4 BIGINT'],
    rows: [
      ['1', '5', 'x', '7'],
      ['2', '6', 'y', '8'],
    ],
    notes: [],
  },
  {
    what: 'years below names that span them',
    text: 'Region,Umsatz,,Kosten,\n,2023,2024,2023,2024\nNord,1,2,3,4\nSued,5,6,7,8\n',
    columns: [
      'region VARCHAR',
      'umsatz_2023 BIGINT',
      'umsatz_2024 BIGINT',
      'kosten_2023 BIGINT',
      'kosten_2024 BIGINT',
    ],
    rows: [
      ['Nord', '1', '2', '3', '4'],
      ['Sued', '5', '6', '7', '8'],
    ],
    notes: ['two rows of its header read as one'],
  },
  {
    what: 'units below names',
    text: 'day,amount,weight\n,EUR,kg\n2024-01-01,5,7.5\n2024-01-02,6,8.5\n',
    columns: ['day DATE', 'amount_eur BIGINT', 'weight_kg DOUBLE'],
    rows: [
      ['2024-01-01', '5', 7.5],
      ['2024-01-02', '6', 8.5],
    ],
    notes: ['two rows of its header read as one'],
  },
  {
    what: 'months as a header',
    text: 'Region,2024-01,2024-02\nNord,5,6\nSued,7,8\n',
    columns: ['region VARCHAR', '2024_01 BIGINT', '2024_02 BIGINT'],
    rows: [
      ['Nord', '5', '6'],
      ['Sued', '7', '8'],
    ],
    notes: [],
  },
  { what: 'a header alone', text: 'a,b', columns: ['a VARCHAR', 'b VARCHAR'], rows: [], notes: [] },
  {
    what: 'one column of decimals',
    text: 'Betrag\n1,50\n2,75\n',
    columns: ['betrag DOUBLE'],
    rows: [[1.5], [2.75]],
  },
  {
    what: 'one column of places',
    text: 'city\nBerlin, Germany\nParis, France\n',
    columns: ['city VARCHAR'],
    rows: [['Berlin, Germany'], ['Paris, France']],
    notes: [],
  },
  {
    what: 'decimals with a comma and no header',
    text: '1,5;2,7\n3,5;4,7\n5,5;6,8\n',
    columns: ['column_1 DOUBLE', 'column_2 DOUBLE'],
    rows: [
      [1.5, 2.7],
      [3.5, 4.7],
      [5.5, 6.8],
    ],
  },
  {
    what: 'names of rows, as R writes them',
    text: '"mpg","cyl"\n"Mazda",21,6\n"Datsun",22.8,4\n',
    columns: ['column_1 VARCHAR', 'mpg DOUBLE', 'cyl BIGINT'],
    rows: [
      ['Datsun', 22.8, '4'],
      ['Mazda', 21, '6'],
    ],
    notes: [
      'its header has one name less than its rows have columns: the first column is taken for the names of rows',
    ],
  },
  {
    what: 'a packed file that is not called so',
    text: gzipSync('a,b\n1,2\n'),
    columns: ['a BIGINT', 'b BIGINT'],
    rows: [['1', '2']],
  },
];

const beginning = (line: string): string => `${line}\n`.repeat(100_001);

describe('a messy text', () => {
  it.each(TEXTS)('with $what', async ({ text, columns, rows, notes }) => {
    const { t } = await load({ 't.csv': text });
    expect(t).toEqual({ columns, rows, notes: notes ?? expect.anything() });
  });

  it.each([
    ['a number with zeros in front', '12345', '01234', 'VARCHAR'],
    ['a decimal below whole numbers', '1', '1.5', 'DOUBLE'],
    ['a time below days', '2024-01-01', '2024-01-01 10:00:00', 'TIMESTAMP'],
    ['a word that the engine takes for a number', '1.5', 'inf', 'VARCHAR'],
    ['a long number below decimals', '1.5', '12345678901234567891', 'VARCHAR'],
  ])(
    'keeps %s far down',
    async (_, usual, late, type) => {
      const { t } = await load({ 't.csv': `a,b\n${beginning(`${usual},1`)}${late},2\n` });
      const { columns, rows } = t as { columns: string[]; rows: unknown[][] };
      expect(columns[0]).toBe(`a ${type}`);
      expect(rows.map(([value, at]) => (at === '2' ? String(value) : '')).join('')).toBe(late);
    },
    30_000,
  );
});

describe('messy names and families', () => {
  it('reads a file whose name the engine takes for a pattern', async () => {
    const tables = await load({
      'export[1].csv': 'a,b\n10,20\n',
      'export1.csv': 'a,b\n11,21\n',
      'all*.csv': 'a,c\n1,2\n',
      'allow.csv': 'a,d\n3,4\n',
    });
    expect(Object.values(tables)).toMatchObject([
      { rows: [['1', '2']] },
      { rows: [['3', '4']] },
      { rows: [['11', '21']] },
      { rows: [['10', '20']] },
    ]);
  });

  it('reads the files of a family each as it is written, and says which row is whose', async () => {
    const { sales } = await load({
      'sales_1.csv': 'id;amount\n1;5\n',
      'sales_2.csv': 'amount,id\n7,2\n',
      'sales_3.csv': Buffer.from('Größenliste\nid;amount\n3;9\n', 'latin1'),
    });
    expect(sales).toMatchObject({
      columns: ['id BIGINT', 'amount BIGINT', 'source_file VARCHAR'],
      rows: [
        ['1', '5', 'sales_1.csv'],
        ['2', '7', 'sales_2.csv'],
        ['3', '9', 'sales_3.csv'],
      ],
    });
  });

  it('says which file of a family has columns of its own', async () => {
    const { sales_3: apart } = await load({
      'sales_1.csv': 'id,amount\n1,5\n',
      'sales_2.csv': 'id,amount\n2,7\n',
      'sales_3.csv': 'id,amount,tax\n3,9,1\n',
    });
    expect(apart).toMatchObject({ notes: ['other columns than those of sales: a table of its own'] });
  });

  it.each([
    ['text.xlsx', 'plz;tag;n\n01234;01.02.2024;1,5\n99999;03.04.2024;2,5\n'],
    [
      'sap.xls',
      Buffer.concat([
        UTF16_MARK,
        Buffer.from('plz\ttag\tn\n01234\t01.02.2024\t1,5\n99999\t03.04.2024\t2,5\n', 'utf16le'),
      ]),
    ],
    [
      'page.xls',
      `<html><table>${['plz tag n', '01234 01.02.2024 1,5', '99999 03.04.2024 2,5'].map((row) => `<tr>${row.replace(/\S+/g, '<td>$&</td>')}</tr>`).join('')}</table></html>`,
    ],
  ])('reads the text that is called %s', async (name, content) => {
    const [table] = Object.values(await load({ [name]: content }));
    expect(table).toMatchObject({
      columns: ['plz VARCHAR', 'tag DATE', 'n DOUBLE'],
      rows: [
        ['01234', '2024-02-01', 1.5],
        ['99999', '2024-04-03', 2.5],
      ],
    });
  });

  it('reads JSON lines whose values change their type far down', async () => {
    const lines = Array.from({ length: 25_000 }, (_, id) =>
      JSON.stringify({ id, v: id < 24_999 ? id : 'last' }),
    );
    const { events } = await load({ 'events.jsonl': lines.join('\n') });
    expect((events as { rows: unknown[][] }).rows.at(-1)).toEqual(['24999', '"last"']);
  });
});

function workbook(
  rows: unknown[][],
  change: (sheet: WorkSheet, book: WorkBook) => void = () => undefined,
): Uint8Array {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet(rows);
  utils.book_append_sheet(book, sheet, 'Sheet1');
  change(sheet, book);
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array;
}

describe('a messy workbook', () => {
  it('that is called CSV', async () => {
    const { t } = await load({
      't.csv': workbook([
        ['a', 'b'],
        [1, 2],
      ]),
    });
    expect(t).toMatchObject({
      rows: [['1', '2']],
      notes: ['read as workbook, in spite of its name', 'sheet Sheet1'],
    });
  });

  it('with times, durations and codes that are numbers', async () => {
    const content = workbook(
      [
        ['id', 'start', 'spent', 'plz'],
        [1, 0.5, 1.25, 1234],
        [2, 0.75, 0.5, 99999],
      ],
      (sheet) => {
        for (const cell of ['B2', 'B3']) sheet[cell].z = 'hh:mm';
        for (const cell of ['C2', 'C3']) sheet[cell].z = '[h]:mm';
        for (const cell of ['D2', 'D3']) sheet[cell].z = '00000';
      },
    );
    const { t } = await load({ 't.xlsx': content });
    expect(t).toMatchObject({
      rows: [
        ['1', '12:00:00', '30:00:00', '01234'],
        ['2', '18:00:00', '12:00:00', '99999'],
      ],
    });
  });

  it('with errors and a hidden sheet', async () => {
    const content = workbook(
      [
        ['id', 'n'],
        [1, 2],
        [2, 3],
      ],
      (sheet, book) => {
        sheet.B3 = { t: 'e', v: 23, w: '#REF!' };
        book.Workbook = { Sheets: [{ Hidden: 1 }] };
      },
    );
    const { t } = await load({ 't.xlsx': content });
    expect(t).toMatchObject({
      rows: [
        ['1', '2'],
        ['2', null],
      ],
      notes: [
        'sheet Sheet1',
        'the sheet is hidden',
        '1 cells show an error such as #REF! and are empty here',
      ],
    });
  });

  it.each([
    [
      'side by side',
      [
        ['id', 'n', null, 'name', 'city'],
        [1, 5, null, 'Ann', 'Rome'],
        [2, 6, null, 'Bob', 'Oslo'],
        [3, 7],
      ],
    ],
    [
      'one below the other',
      [
        ['id', 'n'],
        [1, 5],
        [2, 6],
        [3, 7],
        [],
        ['Customers'],
        ['name', 'city'],
        ['Ann', 'Rome'],
        ['Bob', 'Oslo'],
      ],
    ],
  ])('with tables %s', async (_, rows) => {
    const tables = await load({ 't.xlsx': workbook(rows) });
    expect(Object.values(tables)).toMatchObject([
      {
        columns: ['id BIGINT', 'n BIGINT'],
        rows: [
          ['1', '5'],
          ['2', '6'],
          ['3', '7'],
        ],
      },
      {
        columns: ['name VARCHAR', 'city VARCHAR'],
        rows: [
          ['Ann', 'Rome'],
          ['Bob', 'Oslo'],
        ],
      },
    ]);
  });

  it('with gaps between the rows of one table', async () => {
    const tables = await load({
      't.xlsx': workbook([['name', 'n'], ['Ann', 5], [], ['Bob', 6], ['Cid', 7]]),
    });
    expect(tables).toMatchObject({
      t: {
        rows: [
          ['Ann', '5'],
          ['Bob', '6'],
          ['Cid', '7'],
        ],
      },
    });
  });

  it('that would fill the memory', async () => {
    const bomb = Buffer.from(workbook([['a'], [1]]));
    const directory = bomb.indexOf('PK\u0001\u0002', 0, 'latin1');
    bomb.writeUInt32LE(4_000_000_000, directory + 24);
    writeFileSync(join(folder, 'bomb.xlsx'), bomb);
    await expect(readWorkbook(join(folder, 'bomb.xlsx'))).rejects.toThrow(
      /^unpacked it would have 4\d{9} bytes/,
    );
  });
});
