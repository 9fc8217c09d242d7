import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import { listsTablesForLakes } from './lake-tables.ts';

describeWithServer('postgres', 'PostgreSQL', () => {
  listsTablesForLakes('PostgreSQL', {
    make: async () => {
      const database = await (await postgresServer()).createDatabase('lake');
      return {
        url: database.adminUrl,
        run: async (statements) => {
          for (const statement of statements) await database.run(statement);
        },
        drop: () => database.drop(),
      };
    },
    setup: [
      'CREATE SCHEMA sales',
      'CREATE SCHEMA "Team"',
      'CREATE SCHEMA sale',
      "CREATE TABLE orders (id bigint PRIMARY KEY, total numeric(10, 2)); COMMENT ON TABLE orders IS 'what was sold'",
      'CREATE TABLE sales.orders (id bigint, placed date NOT NULL)',
      'CREATE TABLE sale.z (id bigint)',
      'CREATE TABLE "Team"."Mixed Case" (id bigint, "Name" text)',
      'CREATE TABLE salesman (id int PRIMARY KEY, boss int REFERENCES salesman)',
      "CREATE TABLE days (day date, n int) PARTITION BY RANGE (day); CREATE TABLE days_1 PARTITION OF days FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
      'CREATE VIEW sales.recent AS SELECT id FROM sales.orders',
    ],
    changes: [
      ['a column more', 'sales.orders', 'ALTER TABLE sales.orders ADD city text'],
      ['another type', 'orders', 'ALTER TABLE orders ALTER total TYPE numeric(12, 2)'],
      ['a comment', 'sale.z', "COMMENT ON COLUMN sale.z.id IS 'the last'"],
      ['a key', 'team.mixed case', 'ALTER TABLE "Team"."Mixed Case" ADD PRIMARY KEY (id)'],
      [
        'a view',
        'sales.recent',
        'CREATE OR REPLACE VIEW sales.recent AS SELECT id, 1 AS one FROM sales.orders',
      ],
    ],
    drop: ['sale.z', 'DROP TABLE sale.z'],
  });
});
