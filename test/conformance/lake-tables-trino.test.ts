import { afterAll, beforeAll, describe } from 'vitest';
import { whyNoTrino } from '../../scripts/trino.ts';
import { listsTablesForLakes } from './lake-tables.ts';
import { TrinoFixture } from './trino-fixture.ts';

const missing = await whyNoTrino();
const trino = new TrinoFixture();

describe.skipIf(missing !== null)(missing === null ? 'Trino 476' : `Trino, skipped: ${missing}`, () => {
  beforeAll(() => trino.start(), 200_000);
  afterAll(() => trino.stop(), 20_000);

  listsTablesForLakes('Trino', {
    // The whole catalog: schemas of it stand before the names.
    make: async () => {
      const made = await trino.make([]);
      const url = made.url.slice(0, made.url.lastIndexOf('/'));
      return { url, run: made.run, drop: () => made.drop() };
    },
    setup: [
      'CREATE TABLE orders (id bigint, total decimal(10, 2))',
      "CREATE TABLE visits (id bigint, day date COMMENT 'when')",
      'CREATE VIEW recent AS SELECT id FROM orders',
    ],
    changes: [
      ['a column more', 'shop1.visits', 'ALTER TABLE visits ADD COLUMN city varchar'],
      ['a comment', 'shop1.orders', "COMMENT ON COLUMN orders.id IS 'counts up'"],
    ],
    drop: ['shop1.orders', 'DROP TABLE orders'],
  });
});
