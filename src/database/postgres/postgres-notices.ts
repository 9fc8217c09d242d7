/** What PostgreSQL has to say about rows, without its own words: they may quote values. */
import type { Client } from 'pg';
import type { Notice } from '../../results/index.ts';
import { warningNotices } from '../rows/warning-notices.ts';
import type { PostgresColumn } from './reading-transaction.ts';

/** `money` and its array. */
const MONEY: ReadonlySet<number> = new Set([790, 791]);

export function moneyNotices(columns: readonly PostgresColumn[]): readonly Notice[] {
  if (!columns.some(({ dataTypeID }) => MONEY.has(dataTypeID))) return [];
  return [
    {
      code: 'money-locale',
      text: 'Amounts of type money are written as the server’s lc_monetary says, which decides their sign and their digits after the point.',
    },
  ];
}

/** Counts the warnings of a session from one statement to the next. */
export class WarningCount {
  #count = 0;

  constructor(client: Client) {
    client.on('notice', ({ severity }) => {
      if (severity === 'WARNING') this.#count += 1;
    });
  }

  reset(): void {
    this.#count = 0;
  }

  notices(): readonly Notice[] {
    return warningNotices(this.#count);
  }
}
