import { monthIndexOf } from './days.ts';
import { CITIES } from './places.ts';

/** Counts of what the funnel produced, by month, province and product. */
export interface Tally {
  addOrder(day: number, brandId: number, areaId: number): void;
  addDelivery(day: number, seriesId: number, brandId: number, areaId: number): void;
  orders(month: number, provinceId: number, brandId: number): number;
  deliveries(month: number, provinceId: number, brandId: number): number;
  seriesDeliveries(month: number, provinceId: number, seriesId: number): number;
}

/** An empty tally; targets and registrations are drawn from it at the end. */
export function createTally(): Tally {
  const provinceOf = new Map(CITIES.map((city) => [city.id, city.provinceId]));
  const counts = new Map<string, number>();
  const add = (kind: string, day: number, areaId: number, id: number): void => {
    const name = `${kind}/${monthIndexOf(day)}/${provinceOf.get(areaId)}/${id}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const read = (kind: string, month: number, provinceId: number, id: number): number =>
    counts.get(`${kind}/${month}/${provinceId}/${id}`) ?? 0;
  return {
    addOrder: (day, brandId, areaId) => add('order', day, areaId, brandId),
    addDelivery: (day, seriesId, brandId, areaId) => {
      add('delivery', day, areaId, brandId);
      add('series', day, areaId, seriesId);
    },
    orders: (month, provinceId, brandId) => read('order', month, provinceId, brandId),
    deliveries: (month, provinceId, brandId) => read('delivery', month, provinceId, brandId),
    seriesDeliveries: (month, provinceId, seriesId) => read('series', month, provinceId, seriesId),
  };
}
