import { firstDayOfMonth } from './days.ts';
import { PROVINCES } from './places.ts';
import { BRANDS, SERIES } from './products.ts';
import type { Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';
import type { Tally } from './tally.ts';

const NATIONAL_LEVEL = 0;
const PROVINCE_LEVEL = 20;
const MONTHS = Array.from({ length: 36 }, (_, month) => month);

/** Monthly targets around what was reached, for each brand nationally and in each province. */
export function* generateTargetRows(tally: Tally, random: Random): Generator<DemoRow> {
  let targetId = 1;
  for (const month of MONTHS) {
    for (const brand of BRANDS) {
      const provincial = PROVINCES.map((province) => ({
        provinceId: province.id,
        orders: stretch(tally.orders(month, province.id, brand.id), random),
        deliveries: stretch(tally.deliveries(month, province.id, brand.id), random),
      }));
      // The head office promises a little more than the provinces together.
      const nationalOrders = Math.round(sum(provincial.map((item) => item.orders)) * 1.02);
      const nationalDeliveries = Math.round(sum(provincial.map((item) => item.deliveries)) * 1.015);
      const start = firstDayOfMonth(month);
      yield {
        table: 'targets',
        values: [targetId++, start, NATIONAL_LEVEL, brand.id, null, nationalOrders, nationalDeliveries],
      };
      for (const item of provincial) {
        yield {
          table: 'targets',
          values: [
            targetId++,
            start,
            PROVINCE_LEVEL,
            brand.id,
            item.provinceId,
            item.orders,
            item.deliveries,
          ],
        };
      }
    }
  }
}

/** What the road authority counted: handed-over cars, some of them registered in another month. */
export function* generateRegistrationRows(tally: Tally, random: Random): Generator<DemoRow> {
  let registrationId = 1;
  const brandNames = new Map(BRANDS.map((brand) => [brand.id, brand.name]));
  for (const month of MONTHS) {
    for (const province of PROVINCES) {
      for (const series of SERIES) {
        const delivered = tally.seriesDeliveries(month, province.id, series.id);
        if (delivered === 0) continue;
        const registered = Math.max(0, delivered + random.integer(-2, 2));
        yield {
          table: 'monthly_registrations',
          values: [
            registrationId++,
            firstDayOfMonth(month),
            province.name,
            brandNames.get(series.brandId) ?? null,
            series.name,
            registered,
          ],
        };
      }
    }
  }
}

function stretch(reached: number, random: Random): number {
  return Math.max(1, Math.round(reached * (0.88 + random.next() * 0.3)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
