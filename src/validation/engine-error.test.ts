import { describe, expect, it } from 'vitest';
import { readEngineError, stillMeets } from './engine-error.ts';

/** Messages as the engines write them: kind, what is named, what is offered. */
const MESSAGES: readonly [message: string, kind: string, name?: string, instead?: string][] = [
  [
    'Access Denied: Table proj:ds.Invoice: User does not have permission to query table proj:ds.Invoice',
    'access-denied',
    'proj:ds.Invoice',
  ],
  [
    'Access Denied: BigQuery BigQuery: User does not have bigquery.tables.getData permission',
    'access-denied',
  ],
  ['ERROR: permission denied for table orders', 'access-denied', 'orders'],
  [
    "ERROR 1142 (42000): SELECT command denied to user 'bob'@'localhost' for table 'orders'",
    'access-denied',
    'orders',
  ],
  [
    "SQL access control error: Insufficient privileges to operate on table 'ORDERS'",
    'access-denied',
    'ORDERS',
  ],
  ['Access Denied: Cannot select from table or view sales.orders', 'access-denied', 'sales.orders'],
  ["Object 'ORDERS' does not exist or not authorized.", 'missing-table', 'ORDERS'],
  ['no such table: ordrs', 'missing-table', 'ordrs'],
  ['ERROR: relation "shop.orders" does not exist', 'missing-table', 'shop.orders'],
  ["Table 'shop.ordrs' doesn't exist", 'missing-table', 'shop.ordrs'],
  [
    'Catalog Error: Table with name ordrs does not exist! Did you mean "orders"?',
    'missing-table',
    'ordrs',
    'orders',
  ],
  [
    'Binder Error: Referenced column "nmae" not found in FROM clause! Candidate bindings: "name"',
    'missing-column',
    'nmae',
    'name',
  ],
  ['Unrecognized name: foo; Did you mean fob? at [1:8]', 'missing-column', 'foo', 'fob'],
  ["line 1:8: Column 'x' cannot be resolved", 'missing-column', 'x'],
  ['ERROR: function year(date) does not exist\nHINT:  No function matches.', 'missing-function', 'year'],
  ['no such function: YEAR', 'missing-function', 'YEAR'],
  ['operator does not exist: text = integer', 'type'],
  ["Conversion Error: Could not convert string 'a' to INT32", 'type'],
  ['syntax error at or near "FRM"', 'syntax'],
  ['canceling statement due to statement timeout', 'timeout'],
  ['Resources exceeded during query execution', 'resources'],
  ['Query exceeded limit for bytes billed: 100', 'resources'],
  ['division by zero', 'division-by-zero'],
  ['Invoice 1054 is wrong', 'unknown'],
  ['attempt to write a readonly database', 'unknown'],
];

describe('readEngineError', () => {
  it.each([...MESSAGES])('%s', (message, kind, name, instead) => {
    expect(readEngineError(message)).toMatchObject({ kind, instead: instead === undefined ? [] : [instead] });
    expect(readEngineError(message).name).toBe(name);
  });

  it('keeps the right that is named, and the advice', () => {
    expect(readEngineError('User does not have bigquery.jobs.create permission').right).toBe(
      'bigquery.jobs.create',
    );
    expect(readEngineError('operator does not exist: text = integer\nHINT:  add casts').hint).toBe(
      'add casts',
    );
  });

  it('reads what is anybody’s text: on one line, short, and in no time', () => {
    const { message } = readEngineError(`a\u001b[2J\n${'table '.repeat(200_000)}`);
    expect(message).toMatch(/^a \[2J table /);
    expect(message.length).toBeLessThanOrEqual(400);
  });
});

it.each([
  ['permission denied for table orders', 'SELECT 1 FROM orders_2', false],
  ['permission denied for table orders', 'SELECT 1 FROM shop."Orders"', true],
  ['permission denied', 'SELECT 1', true],
  ['no such function: YEAR', 'SELECT EXTRACT(MONTH FROM d) FROM t', false],
  ['division by zero', 'SELECT 1', false],
] as const)('%s is met by %s: %s', (message, sql, isMet) => {
  expect(stillMeets(readEngineError(message), sql)).toBe(isMet);
});
