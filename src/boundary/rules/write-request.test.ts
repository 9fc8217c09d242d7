import { describe, expect } from 'vitest';
import { testCases } from '../../../test/fixtures/grounded/read-cases.ts';
import { writeRequest } from './write-request.ts';

interface Case {
  readonly mustFail?: string;
  readonly question: string;
  /** The verb of the request; null for a question that only reads. */
  readonly verb: string | null;
}

const writes = (verb: string, ...questions: readonly string[]): Case[] =>
  questions.map((question) => ({ question, verb }));
const reads = (...questions: readonly string[]): Case[] =>
  questions.map((question) => ({ question, verb: null }));

const CASES: readonly Case[] = [
  ...writes(
    'delete',
    'delete all orders',
    'Delete the customer Ana Silva',
    'Please delete all orders from 2023.',
    'Can you please delete everything',
    'DELETE orders',
    'I want to delete the orders of last year',
    'ok, now delete the table',
  ),
  ...writes('drop', 'drop the customers table', 'Drop table orders', 'could you drop the orders'),
  ...writes('remove', 'remove all rows where the price is null', 'Remove every cancelled order'),
  ...writes('update', 'update the price of all products to 10', 'Please update every customer'),
  ...writes('insert', 'insert a new customer', 'Insert 3 rows'),
  ...writes('truncate', 'truncate orders'),
  ...writes('rename', 'rename the column price'),
  ...writes('set', 'set the price to 10 for all products', 'set all prices to zero'),
  ...writes('add', 'add a column to orders', 'add a new customer'),
  ...writes('change', 'change the price of all orders to 5'),
  ...writes('create', 'create a table of orders', 'create a new view'),
  ...writes('clear', 'clear all data'),
  ...writes('erase', 'erase the database'),
  ...reads(
    'show deleted orders',
    'How many orders were deleted last month?',
    'updates per month',
    'Update of the price list, by month',
    'how many drops were there',
    'drop rate by month',
    'delete rate per team',
    'which users can delete orders',
    'number of inserts per day',
    'create date of each order',
    'Change in sales between 2022 and 2023',
    'Change in revenue from 2022 to 2023 where the city is Rome',
    'drop in orders from January to February',
    'changes per week',
    'set of all products',
    'added products in 2023',
    'removed items by region',
    'List the orders that we should delete',
    'What is the update time of each order?',
    'addresses of customers',
    'settings per user',
    'alterations by tailor',
    'please show me the wiped devices',
    'What would change if prices rose?',
    '',
  ),
  {
    question: 'Hello, please delete all orders',
    verb: 'delete',
  },
  {
    question: 'How many orders are there? Then delete them all.',
    verb: 'delete',
  },
];

describe('writeRequest', () => {
  testCases(
    CASES,
    ({ question, verb }) => `${verb === null ? 'lets pass' : 'refuses'}: “${question}”`,
    ({ question, verb }) => {
      const boundary = writeRequest({ original: question, text: question });
      if (verb === null) expect(boundary).toBeNull();
      else expect(boundary).toMatchObject({ kind: 'reject', reason: 'unsafe', missing: verb });
    },
  );
});
