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
  ['syntax error at or near "FRM"', 'syntax'],
  ['canceling statement due to statement timeout', 'timeout'],
  ['Resources exceeded during query execution', 'resources'],
  ['Query exceeded limit for bytes billed: 100', 'resources'],
  ['division by zero', 'division-by-zero'],
  ['Invoice 1054 is wrong', 'unknown'],
];

/** By kind, each as some engine wrote it when it was asked: SQLite, DuckDB, PostgreSQL, MariaDB, Trino, BigQuery, Snowflake. */
const OF_KIND: Readonly<Record<string, readonly (string | readonly [message: string, name: string])[]>> = {
  'group-by': [
    ['column "city" must appear in the GROUP BY clause or must be part of an aggregate function.', 'city'],
    ['ERROR:  column "customers.city" must appear in the GROUP BY clause or be used', 'customers.city'],
    ["ERROR 1055 (42000) at line 1: 'shop.customers.name' isn't in GROUP BY", 'shop.customers.name'],
    [
      "Expression #1 of SELECT list is not in GROUP BY clause and contains nonaggregated column 'shop.o.city' which is not functionally dependent on columns in GROUP BY clause; this is incompatible with sql_mode=only_full_group_by",
      'shop.o.city',
    ],
    'ERROR 1140 (42000) at line 1: Mixing of GROUP columns (MIN(),MAX(),COUNT(),...) with no GROUP columns is illegal',
    ["line 1:8: 'city' must be an aggregate expression or appear in GROUP BY clause", 'city'],
    ['SELECT list expression references column city which is neither grouped nor aggregated', 'city'],
    ['SQL compilation error: [ORDERS.CITY] is not a valid group by expression', 'ORDERS.CITY'],
    'HAVING clause on a non-aggregate query',
  ],
  'subquery-rows': [
    'ERROR:  more than one row returned by a subquery used as an expression',
    'Invalid Input Error: More than one row returned by a subquery used as an expression - scalar subqueries can only return a single row.',
    'ERROR 1242 (21000) at line 1: Subquery returns more than 1 row',
    'Scalar sub-query has returned multiple rows',
    'Scalar subquery produced more than one element',
    'Single-row subquery returns more than one row.',
  ],
  'column-count': [
    'sub-select returns 2 columns - expected 1',
    'row value misused',
    'ERROR:  subquery must return only one column',
    'ERROR 1241 (21000) at line 1: Operand should contain 1 column(s)',
    'ERROR:  each UNION query must have the same number of columns',
    'ERROR 1222 (21000) at line 1: The used SELECT statements have a different number of columns',
  ],
  unavailable: [
    'database is locked',
    'database table is locked: orders',
    'Lock wait timeout exceeded; try restarting transaction',
    'canceling statement due to lock timeout',
    'Deadlock found when trying to get lock; try restarting transaction',
    'IO Error: Could not set lock on file "shop.duckdb": Conflicting lock is held',
    'server closed the connection unexpectedly',
    'FATAL:  sorry, too many clients already',
    'FATAL:  remaining connection slots are reserved',
    'ERROR 1040 (HY000): Too many connections',
    'ERROR 2013 (HY000): Lost connection to MySQL server during query',
    'ERROR 2006 (HY000): MySQL server has gone away',
    'terminating connection due to administrator command',
    'could not connect to server: Connection refused',
    'read ECONNRESET',
    'canceling statement due to conflict with recovery',
    'the database system is starting up',
    'Exceeded rate limits: too many concurrent queries for this project',
  ],
  write: [
    'attempt to write a readonly database',
    'ERROR:  cannot execute UPDATE in a read-only transaction',
    'Invalid Input Error: Cannot execute statement of type "DROP" on database "shop" which is attached in read-only mode!',
    ['ERROR:  must be owner of table orders', 'orders'],
    [
      "ERROR 1142 (42000) at line 1: DROP command denied to user 'reader'@'127.0.0.1' for table `shop`.`orders`",
      'shop.orders',
    ],
    ['Access Denied: Cannot drop table sales.orders', 'sales.orders'],
  ],
  'missing-source': [
    ['ERROR:  missing FROM-clause entry for table "c"', 'c'],
    ['ERROR:  invalid reference to FROM-clause entry for table "orders"', 'orders'],
    ['Binder Error: Referenced table "c" not found!\nCandidate tables: "o"', 'c'],
  ],
  'ambiguous-column': [
    ['ambiguous column name: id', 'id'],
    ['Binder Error: Ambiguous reference to column name "id" (use: "customers.id" or "orders.id")', 'id'],
    ['ERROR:  column reference "id" is ambiguous', 'id'],
    ["ERROR 1052 (23000) at line 1: Column 'id' in SELECT is ambiguous", 'id'],
  ],
  'misplaced-call': [
    'misuse of aggregate: COUNT()',
    'misuse of window function ROW_NUMBER()',
    'Binder Error: WHERE clause cannot contain aggregates!',
    'ERROR:  aggregate functions are not allowed in WHERE',
    'ERROR:  aggregate function calls cannot be nested',
    'ERROR:  window function row_number requires an OVER clause',
    'ERROR 1111 (HY000) at line 1: Invalid use of group function',
    'ERROR 4015 (HY000) at line 1: Window function is allowed only in SELECT list and ORDER BY clause',
  ],
  'order-by': [
    '1st ORDER BY term out of range - should be between 1 and 1',
    'Binder Error: ORDER term out of range - should be between 1 and 1',
    'ERROR:  ORDER BY position 3 is not in select list',
    "ERROR 1054 (42S22) at line 1: Unknown column '3' in 'ORDER BY'",
    'ERROR:  for SELECT DISTINCT, ORDER BY expressions must appear in select list',
  ],
  'duplicate-name': [
    ['ERROR:  table name "orders" specified more than once', 'orders'],
    ["ERROR 1066 (42000) at line 1: Not unique table/alias: 'orders'", 'orders'],
    ['duplicate WITH table name: t', 't'],
    ['Parser Error: Duplicate CTE name "t"', 't'],
  ],
  'missing-alias': [
    'ERROR:  subquery in FROM must have an alias',
    'ERROR 1248 (42000): Every derived table must have its own alias',
  ],
  'out-of-range': [
    'ERROR:  integer out of range',
    'Out of Range Error: Overflow in addition of INT32 (2147483647 + 30)!',
    'ERROR:  cannot take logarithm of zero',
  ],
  arguments: [
    ['wrong number of arguments to function SUBSTR()', 'SUBSTR'],
    ["No function matches the given name and argument types 'sum(VARCHAR)'.", 'sum'],
    ["Incorrect parameter count in the call to native function 'DATEDIFF'", 'DATEDIFF'],
  ],
  parameter: [
    'ERROR:  there is no parameter $1',
    'Invalid Input Error: Expected 1 parameters, but none were supplied',
    "ERROR 1054 (42S22) at line 1: Unknown column '$1' in 'WHERE'",
  ],
  pattern: [
    'ERROR:  invalid regular expression: parentheses () not balanced',
    "ERROR 1139 (42000) at line 1: Regex error 'missing closing parenthesis at offset 1'",
    'Invalid Input Error: missing ): (',
  ],
  type: [
    'ERROR:  UNION types integer and character varying cannot be matched',
    'ERROR:  argument of WHERE must be type boolean, not type integer',
    "No function matches the given name and argument types '~~(INTEGER, STRING_LITERAL)'.",
  ],
};

/** Values that are none of the type they were to be. */
const CONVERSIONS: readonly [message: string, value: string | undefined, target: string, name?: string][] = [
  ['ERROR:  invalid input syntax for type integer: "n/a"', 'n/a', 'integer'],
  ['ERROR:  invalid input syntax for type double precision: "n/a"', 'n/a', 'double precision'],
  ['ERROR:  invalid input syntax for type json\nDETAIL:  Token "n" is invalid.', undefined, 'json'],
  ['ERROR:  date/time field value out of range: "2024-13-45"', '2024-13-45', 'date'],
  [
    "Conversion Error: Could not convert string 'n/a' to INT32 when casting from source column note",
    'n/a',
    'INT32',
    'note',
  ],
  ['Conversion Error: invalid date field format: "n/a", expected format is (YYYY-MM-DD)', 'n/a', 'date'],
  ["Cannot cast 'n/a' to INT", 'n/a', 'INT'],
  ['Value cannot be cast to date: n/a', 'n/a', 'date'],
  ["Truncated incorrect INTEGER value: 'n/a'", 'n/a', 'INTEGER'],
  ["ERROR 1525 (HY000) at line 1: Incorrect DATE value: '2024-13-45'", '2024-13-45', 'DATE'],
  ["Numeric value 'n/a' is not recognized", 'n/a', 'Numeric'],
  ['Bad int64 value: n/a', 'n/a', 'int64'],
];

describe('readEngineError', () => {
  it.each([...MESSAGES])('%s', (message, kind, name, instead) => {
    expect(readEngineError(message)).toMatchObject({ kind, instead: instead === undefined ? [] : [instead] });
    expect(readEngineError(message).name).toBe(name);
  });

  it.each(
    Object.entries(OF_KIND).flatMap(([kind, messages]) =>
      messages.map((one) => {
        const [message, name] = typeof one === 'string' ? [one] : one;
        return { kind, message, name };
      }),
    ),
  )('knows $kind: $message', ({ kind, message, name }) => {
    expect(readEngineError(message)).toMatchObject({ kind });
    expect(readEngineError(message).name).toBe(name);
  });

  it.each(CONVERSIONS)('reads the value of %s', (message, value, target, name) => {
    const read = readEngineError(message);
    expect(read).toMatchObject({ kind: 'conversion', target });
    expect([read.value, read.name]).toEqual([value, name]);
  });

  it('takes no word of the query that an engine repeats for one of its own', () => {
    const message = "ERROR:  division by zero\nLINE 1: SELECT 1 / a FROM b WHERE c = 'is locked'\n   ^";
    expect(readEngineError(message)).toMatchObject({
      kind: 'division-by-zero',
      message: 'ERROR: division by zero',
    });
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
