import { itemAt, type Random } from '../random.ts';
import type { DemoRow } from '../table-spec.ts';
import { printDay } from './days.ts';
import type { City } from './places.ts';

export interface Customer {
  readonly accountId: number;
  readonly city: City;
  /** The row of a customer seen for the first time. */
  readonly row: DemoRow | null;
}

/** Remembers who has come before, so that some leads are of known customers. */
export interface CustomerBook {
  find(city: City, day: number): Customer;
}

/** About two leads in five come from customers who asked before. */
export function createCustomerBook(random: Random): CustomerBook {
  const cities: City[] = [];
  return {
    find: (city, day) => {
      if (cities.length > 50 && random.chance(0.38)) {
        const index = random.integer(0, cities.length - 1);
        return { accountId: 700_001 + index, city: itemAt(cities, index), row: null };
      }
      cities.push(city);
      const accountId = 700_000 + cities.length;
      const gender = random.chance(0.07) ? null : random.chance(0.58) ? 'M' : 'F';
      const birthYear = random.chance(0.1) ? null : random.integer(1950, 2003);
      return {
        accountId,
        city,
        row: { table: 'accounts', values: [accountId, gender, birthYear, city.id, printDay(day)] },
      };
    },
  };
}
