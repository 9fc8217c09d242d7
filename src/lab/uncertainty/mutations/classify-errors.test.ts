import { describe, expect, it } from 'vitest';
import { SHOP } from '../../../../test/fixtures/uncertainty/shop.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { classifyErrors, type FoundError } from './classify-errors.ts';

const read = (sql: string): ReadQuery => {
  const result = readQuery(sql, 'sqlite', SHOP);
  if (!result.ok) throw new Error(`${result.because}: ${sql}`);
  return result.query;
};

const JOINED = 'FROM customer AS T1 JOIN country AS T2 ON T1.country_id = T2.id';
const CASES: readonly [gold: string, wrong: string, errors: readonly FoundError[]][] = [
  ['SELECT name FROM customer', 'SELECT c.name FROM customer c', []],
  ['SELECT name FROM customer', 'SELECT city FROM customer', ['column-of-same-table']],
  ['SELECT total FROM orders', 'SELECT total_tax FROM orders', ['column-like-it']],
  [`SELECT T1.name ${JOINED}`, `SELECT T2.name ${JOINED}`, ['column-of-same-name']],
  [`SELECT T1.city ${JOINED}`, `SELECT T2.code ${JOINED}`, ['column-of-other-table']],
  [`SELECT T1.age ${JOINED}`, 'SELECT age FROM customer', ['join-missing']],
  ['SELECT age FROM customer', `SELECT T1.age ${JOINED}`, ['join-added']],
  ['SELECT age FROM customer', `SELECT T2.code ${JOINED}`, ['column-behind-join']],
  ['SELECT name FROM customer', 'SELECT name FROM country', ['table-swapped']],
  ['SELECT name FROM customer', 'SELECT nme FROM customer', ['column-invented']],
  [
    "SELECT id FROM customer WHERE city = 'Paris'",
    "SELECT id FROM customer WHERE city = 'paris'",
    ['literal-case'],
  ],
  [
    "SELECT id FROM customer WHERE city = 'Paris'",
    "SELECT id FROM customer WHERE city = 'Rome'",
    ['literal-as-asked'],
  ],
  [
    "SELECT id FROM customer WHERE city = 'Paris'",
    "SELECT id FROM customer WHERE city = 'Oslo'",
    ['literal-other'],
  ],
  ['SELECT id FROM customer WHERE age > 3', 'SELECT id FROM customer WHERE age > 4', ['number-off']],
  ['SELECT id FROM customer WHERE age > 3', 'SELECT id FROM customer WHERE age >= 3', ['operator-changed']],
  ['SELECT id FROM customer WHERE age > 3', 'SELECT id FROM customer', ['condition-missing']],
  ['SELECT id FROM customer', 'SELECT id FROM customer WHERE age > 3', ['condition-added']],
  ['SELECT id FROM customer', 'SELECT id FROM customer WHERE age IS NOT NULL', ['not-null-added']],
  ['SELECT COUNT(city) FROM customer', 'SELECT COUNT(DISTINCT city) FROM customer', ['count-distinct-added']],
  ['SELECT SUM(total) FROM orders', 'SELECT AVG(total) FROM orders', ['aggregate-changed']],
  ['SELECT DISTINCT city FROM customer', 'SELECT city FROM customer', ['distinct-missing']],
  ['SELECT city FROM customer', 'SELECT city FROM customer ORDER BY city LIMIT 1', ['order-added']],
  [
    'SELECT city FROM customer ORDER BY age',
    'SELECT city FROM customer ORDER BY age DESC',
    ['order-direction'],
  ],
  ['SELECT id, name FROM customer', 'SELECT name, id FROM customer', []],
  ['SELECT id, name FROM customer', 'SELECT name FROM customer', ['select-missing']],
];

describe('classifyErrors', () => {
  it.each(CASES)('%s ‖ %s: %j', (gold, wrong, errors) => {
    expect(classifyErrors(read(gold), read(wrong), 'Who lives in Rome?')).toEqual(errors);
  });
});
