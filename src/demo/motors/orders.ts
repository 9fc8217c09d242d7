import { LAST_DAY, printDay } from './days.ts';
import type { Dealer } from './dealers.ts';
import type { Model } from './products.ts';
import type { Random } from './random.ts';
import type { DemoRow, DemoValue } from './table-spec.ts';
import type { Tally } from './tally.ts';

interface OrderRequest {
  readonly leadId: number | null;
  readonly accountId: number;
  readonly model: Model;
  readonly brandId: number;
  readonly dealer: Dealer;
  readonly signedDay: number;
}

/** Numbers the orders and follows each to handover and the workshop. */
export interface OrderBook {
  place(request: OrderRequest): Generator<DemoRow>;
}

/** Counts into the tally what targets and registrations are drawn from later. */
export function createOrderBook(random: Random, tally: Tally): OrderBook {
  let orderId = 0;
  let visitId = 0;

  function* place(request: OrderRequest): Generator<DemoRow> {
    const { model, dealer, signedDay } = request;
    const id = 300_001 + orderId++;
    const isCancelled = random.chance(0.074);
    const deliveryDay = signedDay + deliveryDays(model, random);
    const deliveredDay = !isCancelled && deliveryDay <= LAST_DAY ? deliveryDay : null;
    const isDeleted = deliveredDay === null && random.chance(0.06);
    const discount = drawDiscount(model, signedDay, random);
    const staff = dealer.staff.filter(
      (person) =>
        person.role === 'SC' && person.hiredDay <= signedDay && (person.leftDay ?? Infinity) > signedDay,
    );
    yield {
      table: 'orders',
      values: [
        id,
        `SO-${printDay(signedDay).slice(2, 4)}-${id}`,
        request.leadId,
        request.accountId,
        model.id,
        dealer.id,
        staff.length === 0 || random.chance(0.03) ? null : random.pick(staff).id,
        isCancelled ? 'S90' : deliveredDay !== null ? 'S40' : openStatus(signedDay, random),
        printDay(signedDay),
        deliveredDay === null ? null : printDay(deliveredDay),
        model.listPrice - discount,
        discount,
        isDeleted ? 1 : 0,
      ],
    };
    if (isDeleted) return;
    tally.addOrder(signedDay, request.brandId, dealer.salesAreaId);
    if (deliveredDay === null) return;
    tally.addDelivery(deliveredDay, model.seriesId, request.brandId, dealer.salesAreaId);
    yield* generateVisits(id, dealer, deliveredDay);
  }

  function* generateVisits(order: number, dealer: Dealer, deliveredDay: number): Generator<DemoRow> {
    let day = deliveredDay + random.integer(90, 360);
    while (day <= LAST_DAY) {
      const type = drawVisitType(random);
      const values: DemoValue[] = [
        301 + visitId++,
        order,
        dealer.id,
        printDay(day),
        type,
        billVisit(type, random),
      ];
      yield { table: 'service_visits', values };
      day += random.integer(180, 365);
    }
  }

  return { place };
}

/** Electric cars take longer; the waiting time of 2022 is gone by 2024. */
function deliveryDays(model: Model, random: Random): number {
  return random.integer(6, 48) + (model.energyType === 1 ? 0 : random.integer(8, 34));
}

/** Steps of 50 EUR up to six percent, more in the last month of a year. */
function drawDiscount(model: Model, signedDay: number, random: Random): number {
  const isDecember = printDay(signedDay).slice(5, 7) === '12';
  const most = model.listPrice * (isDecember ? 0.09 : 0.06);
  return random.chance(0.22) ? 0 : Math.round((random.next() * most) / 50) * 50;
}

function openStatus(signedDay: number, random: Random): string {
  const age = LAST_DAY - signedDay;
  if (age < 12) return 'S10';
  return random.chance(age > 30 ? 0.7 : 0.3) ? 'S30' : 'S20';
}

function drawVisitType(random: Random): string {
  const point = random.next();
  return point < 0.56 ? 'MNT' : point < 0.81 ? 'REP' : point < 0.93 ? 'BOD' : 'RCL';
}

function billVisit(type: string, random: Random): number | null {
  if (type === 'RCL') return null;
  if (type === 'MNT') return random.integer(120, 480);
  return type === 'REP' ? random.integer(90, 1_450) : random.integer(350, 3_900);
}
