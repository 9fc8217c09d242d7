import { CHANNELS, generateCampaignRows, planCampaigns } from './campaigns.ts';
import { DAY_COUNT, firstDayOfMonth, printDay, readDay, weekdayOf } from './days.ts';
import { generateDealerRows, planDealers } from './dealers.ts';
import { createDemand } from './demand.ts';
import { generateFunnelRows } from './funnel.ts';
import { CITIES, PROVINCES } from './places.ts';
import { BRANDS, SERIES } from './products.ts';
import { createRandom, type Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';
import { createTally, type Tally } from './tally.ts';

/**
 * Every row of the demo, parents before children. `scale` shrinks the facts (leads and what follows from
 * them); places, products, dealers and campaigns stay as they are.
 */
export function* generateMotors(options: { seed: number; scale: number }): Generator<DemoRow> {
  const random = createRandom(options.seed);
  const dealers = planDealers(random);
  const campaigns = planCampaigns(random);
  const tally = createTally();
  yield* generateCatalogueRows();
  yield* generateCalendarRows();
  yield* generateDealerRows(dealers);
  yield* generateCampaignRows(campaigns);
  yield* generateFunnelRows(createDemand(dealers, campaigns), tally, random, options.scale);
  yield* generateTargetRows(tally, random);
  yield* generateRegistrationRows(tally, random);
}

function* generateCatalogueRows(): Generator<DemoRow> {
  for (const item of PROVINCES) yield { table: 'provinces', values: [item.id, item.name, item.region] };
  for (const item of CITIES)
    yield { table: 'areas', values: [item.id, item.name, item.provinceId, item.tier] };
  for (const item of BRANDS) {
    yield { table: 'brands', values: [item.id, item.name, item.segment, item.foundedYear] };
  }
  for (const item of SERIES) {
    yield {
      table: 'series',
      values: [item.id, item.name, item.brandId, item.bodyType, item.launchedOn, item.discontinuedOn],
    };
    for (const model of item.models) {
      yield {
        table: 'models',
        values: [
          model.id,
          model.name,
          model.seriesId,
          model.energyType,
          model.listPrice,
          model.seats,
          model.rangeKm,
        ],
      };
    }
  }
  for (const item of CHANNELS) {
    yield { table: 'channels', values: [item.id, item.levelOne, item.levelTwo, item.isPaid] };
  }
}

const HOLIDAYS = new Set(['01-01', '05-01', '10-03', '12-25', '12-26']);

/** One row per day of the three years. Fiscal years start on 1 April, fiscal weeks count from there. */
function* generateCalendarRows(): Generator<DemoRow> {
  for (let day = 0; day < DAY_COUNT; day++) {
    const date = printDay(day);
    const year = Number(date.slice(0, 4));
    const month = Number(date.slice(5, 7));
    const fiscalYear = month >= 4 ? year : year - 1;
    const fiscalQuarter = Math.floor(((month + 8) % 12) / 3) + 1;
    const fiscalWeek = Math.floor((day - readDay(`${fiscalYear}-04-01`)) / 7) + 1;
    yield {
      table: 'calendar',
      values: [
        date,
        year,
        `${year}-Q${Math.ceil(month / 3)}`,
        date.slice(0, 7),
        printDay(day - weekdayOf(day)),
        fiscalYear,
        `FY${fiscalYear}-Q${fiscalQuarter}`,
        `FY${fiscalYear}-W${String(fiscalWeek).padStart(2, '0')}`,
        weekdayOf(day) >= 5 ? 1 : 0,
        HOLIDAYS.has(date.slice(5)) ? 1 : 0,
      ],
    };
  }
}

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
