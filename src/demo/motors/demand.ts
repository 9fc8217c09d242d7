import type { Campaign } from './campaigns.ts';
import { CHANNELS, type Channel } from './campaigns.ts';
import { monthIndexOf, readDay, weekdayOf } from './days.ts';
import type { Dealer } from './dealers.ts';
import { CITIES, type City, PROVINCES } from './places.ts';
import { type Model, SERIES, type Series } from './products.ts';
import { createSampler, itemAt, type Random } from './random.ts';

/** What customers want on a day: the shares that the funnel draws from. */
export interface Demand {
  /** Leads expected on a day at full scale. */
  leadsOn(day: number): number;
  city(random: Random): City;
  series(city: City, day: number, random: Random): Series;
  model(series: Series, random: Random): Model;
  channel(random: Random): Channel;
  /** An open dealer that sells in the city; null when all are closed. */
  dealer(city: City, day: number, random: Random): Dealer | null;
  /** A campaign that runs on the day and may bring a lead for the series. */
  campaign(series: Series, day: number, random: Random): Campaign | null;
}

const LEADS_PER_DAY = 97;
const YEAR_FACTORS = [0.92, 1, 1.09] as const;
const MONTH_FACTORS = [0.87, 0.71, 1.14, 0.97, 1.02, 1.06, 0.88, 0.83, 1.17, 1.03, 1.13, 1.19] as const;
const WEEKDAY_FACTORS = [0.82, 0.84, 0.9, 0.93, 1.06, 1.42, 1.03] as const;

/** Brands sell unevenly over the regions: percent of their normal share, by brand id. */
const REGION_TASTE: Readonly<Record<string, readonly number[]>> = {
  North: [92, 88, 141, 97],
  East: [128, 95, 109, 86],
  South: [81, 119, 78, 112],
  West: [97, 108, 99, 104],
  Central: [88, 112, 84, 121],
};

/** Prepares the samplers once; drawing is then cheap. */
export function createDemand(dealers: readonly Dealer[], campaigns: readonly Campaign[]): Demand {
  const city = createSampler(CITIES, (item) => item.weight);
  const channel = createSampler(CHANNELS, (item) => item.weight);
  const models = SERIES.map((series) => createSampler(series.models, (item) => item.weight));
  const seriesSamplers = createSeriesSamplers();
  const dealersByCity = new Map(
    CITIES.map((place) => [place.id, dealers.filter((dealer) => dealer.salesAreaId === place.id)]),
  );
  const launches = new Map(SERIES.map((item) => [item, readDay(item.launchedOn)]));
  const ends = new Map(
    SERIES.map((item) => [item, item.discontinuedOn === null ? Infinity : readDay(item.discontinuedOn)]),
  );
  const isSold = (item: Series, day: number): boolean =>
    day >= (launches.get(item) ?? Infinity) && day <= (ends.get(item) ?? Infinity);

  return {
    leadsOn: (day) => {
      const month = monthIndexOf(day);
      return (
        LEADS_PER_DAY *
        itemAt(YEAR_FACTORS, Math.floor(month / 12)) *
        itemAt(MONTH_FACTORS, month % 12) *
        itemAt(WEEKDAY_FACTORS, weekdayOf(day))
      );
    },
    city,
    channel,
    series: (place, day, random) => {
      const sampler = itemAt(seriesSamplers, (place.provinceId - 1) * 3 + Math.floor(monthIndexOf(day) / 12));
      let series = sampler(random);
      while (!isSold(series, day)) series = sampler(random);
      return series;
    },
    model: (series, random) => itemAt(models, series.id - 1)(random),
    dealer: (place, day, random) => {
      const open = (dealersByCity.get(place.id) ?? []).filter(
        (dealer) => dealer.openedDay <= day && (dealer.closedDay ?? Infinity) > day + 90,
      );
      return open.length === 0 ? null : createSampler(open, (dealer) => dealer.weight)(random);
    },
    campaign: (series, day, random) => {
      const running = campaigns.filter(
        (item) =>
          item.firstDay <= day &&
          day <= item.lastDay &&
          (item.brandId === null || item.brandId === series.brandId),
      );
      return running.length === 0 ? null : random.pick(running);
    },
  };
}

function createSeriesSamplers(): readonly ((random: Random) => Series)[] {
  return PROVINCES.flatMap((province) =>
    ([0, 1, 2] as const).map((year) =>
      createSampler(
        SERIES,
        (series) => series.weights[year] * itemAt(REGION_TASTE[province.region] ?? [], series.brandId - 1),
      ),
    ),
  );
}
