import { generateCampaignRows, planCampaigns } from './campaigns.ts';
import { CHANNELS } from './channels.ts';
import { DAY_COUNT, printDay, readDay, weekdayOf } from './days.ts';
import { generateDealerRows, planDealers } from './dealers.ts';
import { createDemand } from './demand.ts';
import { generateFunnelRows } from './funnel.ts';
import { CITIES, PROVINCES } from './places.ts';
import { generateRegistrationRows, generateTargetRows } from './plan-rows.ts';
import { BRANDS, SERIES } from './products.ts';
import { createRandom } from './random.ts';
import type { DemoRow } from './table-spec.ts';
import { createTally } from './tally.ts';

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
