import { describe, expect, it } from 'vitest';
import { readPartitioning } from './trino-estimates.ts';

const COLUMNS = ['id', 'sold_at', 'region', 'net day', 'amount'].map((name) => ({
  name,
  type: 'varchar',
  isNullable: true,
}));

describe('the columns a table is partitioned by', () => {
  it.each([
    ['row(region varchar)', ['region']],
    ['row(sold_at_month integer, region varchar)', ['sold_at', 'region']],
    ['row(id_bucket integer, "net day_day" date)', ['id', 'net day']],
    ['row(amount_trunc decimal(10, 2))', ['amount']],
    // Somebody's own name for a field says nothing of its column.
    ['row(shard integer)', []],
    ['varchar', []],
  ])('%s', (type, columns) => {
    expect(readPartitioning(type, { columns: COLUMNS })).toEqual(columns);
  });
});
