import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { readTexts } from './text-types.ts';

const READ: readonly {
  texts: readonly string[];
  type?: string;
  values?: readonly unknown[];
  unit?: string;
}[] = [
  { texts: ['1,234.50', '12', '0.5'], type: 'DOUBLE', values: [1234.5, 12, 0.5] },
  { texts: ['1.234,50', '12', '0,5'], type: 'DOUBLE', values: [1234.5, 12, 0.5] },
  { texts: ['1 234,5', '12 000 000'], type: 'DOUBLE', values: [1234.5, 12000000] },
  { texts: ["1'234", '5'], type: 'BIGINT', values: ['1234', '5'] },
  { texts: ['$1,200.00', '$3'], type: 'DOUBLE', values: [1200, 3], unit: '$' },
  { texts: ['12 €', '7,5 €'], type: 'DOUBLE', values: [12, 7.5], unit: '€' },
  { texts: ['12%', '7 %', 'n/a'], type: 'BIGINT', values: ['12', '7', null], unit: '%' },
  { texts: ['(1,500)', '20'], type: 'BIGINT', values: ['-1500', '20'] },
  { texts: ['-1,500.25', '−20'], type: 'DOUBLE', values: [-1500.25, -20] },
  { texts: ['2024-01-31', '2024-02-01'], type: 'DATE', values: ['2024-01-31', '2024-02-01'] },
  { texts: ['31/01/2024', '02/01/2024'], type: 'DATE', values: ['2024-01-31', '2024-01-02'] },
  { texts: ['01/31/2024', '02/01/2024'], type: 'DATE', values: ['2024-01-31', '2024-02-01'] },
  { texts: ['31.01.2024', '1.2.2024', '-'], type: 'DATE', values: ['2024-01-31', '2024-02-01', null] },
  { texts: ['5-Jan-2024', '12-Dec-2023'], type: 'DATE', values: ['2024-01-05', '2023-12-12'] },
  { texts: ['Jan 5, 2024', 'Dec 12, 2023'], type: 'DATE', values: ['2024-01-05', '2023-12-12'] },
  { texts: ['31/12/2021', '2022-01-05'], type: 'DATE', values: ['2021-12-31', '2022-01-05'] },
  {
    ...{ texts: ['05.02.2024 14:30', '06.02.2024 08:00:10'], type: 'TIMESTAMP' },
    values: ['2024-02-05 14:30:00', '2024-02-06 08:00:10'],
  },
  { texts: ['00123', '4711'] },
  { texts: ['1234567890123456', '1'] },
  { texts: ['$5', '€7'] },
  { texts: ['5', 'about 7'] },
  { texts: ['31/31/2024'] },
  { texts: ['open', 'closed'] },
  { texts: ['n/a', '-'] },
  { texts: ['555-0100', '555-0101'] },
  { texts: ['1.2.3', '1.2.4'] },
];

describe('texts of a column', () => {
  it.each(READ)('$texts', async ({ texts, type, values = [], unit }) => {
    const reading = readTexts(texts);
    expect({ type: reading?.type, unit: reading?.unit }).toEqual({ type, unit });
    if (reading === undefined) return;
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const listed = texts.map((text) => `('${text.replaceAll("'", "''")}')`).join(', ');
    const reader = await connection.runAndReadAll(
      `SELECT ${reading.expression('"t"')} FROM (VALUES ${listed}) AS texts("t")`,
    );
    expect(reader.getRowsJson().map(([value]) => value)).toEqual(values);
    connection.closeSync();
    instance.closeSync();
  });

  it('say which of day and month comes first, and where no value proves it', () => {
    expect(readTexts(['31/01/2024'])?.note).toBe('the day before the month');
    expect(readTexts(['01/31/2024'])?.note).toBe('the month before the day');
    expect(readTexts(['03/04/2024'])?.note).toBe('the day before the month, which its values do not prove');
  });
});
