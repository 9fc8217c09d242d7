import type { Campaign } from './campaigns.ts';
import { CHANNELS, type Channel } from './campaigns.ts';
import { DAY_COUNT, LAST_DAY, printDay } from './days.ts';
import type { Dealer, Employee } from './dealers.ts';
import type { Demand } from './demand.ts';
import { createOrderBook, type OrderBook } from './orders.ts';
import type { City } from './places.ts';
import type { Series } from './products.ts';
import { createSampler, itemAt, type Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';
import type { Tally } from './tally.ts';

/** Walk-in orders for each lead: customers who never left their name before. */
const WALK_INS_PER_LEAD = 0.035;

interface Enquiry {
  readonly leadId: number;
  readonly accountId: number;
  readonly isNetNew: boolean;
  readonly city: City;
  readonly series: Series;
  readonly channel: Channel;
  readonly campaign: Campaign | null;
  readonly createdDay: number;
  readonly isDeleted: boolean;
  /** Null until the lead is assigned. */
  readonly dealer: Dealer | null;
  readonly assignedDay: number | null;
}

interface Drive {
  readonly day: number;
  readonly isDone: boolean;
  readonly row: DemoRow;
}

interface Funnel {
  readonly demand: Demand;
  readonly random: Random;
  readonly customers: CustomerBook;
  readonly orders: OrderBook;
  nextLeadId: number;
  nextDriveId: number;
}

/** Three years of customers, leads, test drives, orders and service visits, day by day. */
export function* generateFunnelRows(
  demand: Demand,
  tally: Tally,
  random: Random,
  scale: number,
): Generator<DemoRow> {
  const funnel: Funnel = {
    demand,
    random,
    customers: createCustomerBook(random),
    orders: createOrderBook(random, tally),
    nextLeadId: 100_001,
    nextDriveId: 1,
  };
  for (let day = 0; day < DAY_COUNT; day++) {
    const expected = demand.leadsOn(day) * scale * (0.85 + random.next() * 0.3);
    const count = Math.floor(expected + random.next());
    for (let index = 0; index < count; index++) yield* generateLead(funnel, day);
    const walkIns = Math.floor(expected * WALK_INS_PER_LEAD + random.next());
    for (let index = 0; index < walkIns; index++) yield* generateWalkIn(funnel, day);
  }
}

function* generateLead(funnel: Funnel, day: number): Generator<DemoRow> {
  const { demand, random } = funnel;
  const wished = demand.city(random);
  const customer = funnel.customers.find(wished, day);
  if (customer.row !== null) yield customer.row;
  const series = demand.series(customer.city, day, random);
  const campaign = random.chance(0.34) ? demand.campaign(series, day, random) : null;
  const enquiry = assignDealer(
    {
      leadId: funnel.nextLeadId++,
      accountId: customer.accountId,
      isNetNew: customer.row !== null,
      city: customer.city,
      series,
      channel: campaign === null ? demand.channel(random) : channelOf(campaign),
      campaign,
      createdDay: day,
      isDeleted: customer.row === null && random.chance(0.04),
    },
    funnel,
  );
  const drive = bookDrive(enquiry, funnel);
  const orderedDay = decideOrder(enquiry, drive, random);
  yield printLead(enquiry, orderedDay !== null, random);
  if (drive !== null) yield drive.row;
  if (orderedDay === null || enquiry.dealer === null) return;
  yield* funnel.orders.place({
    leadId: enquiry.leadId,
    accountId: enquiry.accountId,
    model: demand.model(series, random),
    brandId: series.brandId,
    dealer: enquiry.dealer,
    signedDay: orderedDay,
  });
}

function* generateWalkIn(funnel: Funnel, day: number): Generator<DemoRow> {
  const { demand, random } = funnel;
  const customer = funnel.customers.find(demand.city(random), day);
  if (customer.row !== null) yield customer.row;
  const series = demand.series(customer.city, day, random);
  const dealer = demand.dealer(customer.city, day, random);
  if (dealer === null) return;
  yield* funnel.orders.place({
    leadId: null,
    accountId: customer.accountId,
    model: demand.model(series, random),
    brandId: series.brandId,
    dealer,
    signedDay: day,
  });
}

function assignDealer(enquiry: Omit<Enquiry, 'dealer' | 'assignedDay'>, funnel: Funnel): Enquiry {
  const { demand, random } = funnel;
  const assignedDay = enquiry.createdDay + (random.chance(0.55) ? 0 : random.integer(1, 6));
  const isAssigned = !enquiry.isDeleted && random.chance(0.93) && assignedDay <= LAST_DAY;
  const dealer = isAssigned ? demand.dealer(enquiry.city, assignedDay, random) : null;
  return { ...enquiry, dealer, assignedDay: dealer === null ? null : assignedDay };
}

function bookDrive(enquiry: Enquiry, funnel: Funnel): Drive | null {
  const { random } = funnel;
  const { dealer, assignedDay } = enquiry;
  if (dealer === null || assignedDay === null) return null;
  if (!random.chance(enquiry.channel.driveRate / 100)) return null;
  const day = assignedDay + random.integer(1, 18);
  if (day > LAST_DAY) return null;
  const status = random.chance(0.8) ? 'DONE' : random.chance(0.6) ? 'NOSHOW' : 'CANC';
  const rating = status === 'DONE' && random.chance(0.72) ? drawRating(random) : null;
  const consultant = pickConsultant(dealer, day, random);
  return {
    day,
    isDone: status === 'DONE',
    row: {
      table: 'test_drives',
      values: [
        funnel.nextDriveId++,
        enquiry.leadId,
        funnel.demand.model(enquiry.series, random).id,
        dealer.id,
        random.chance(0.96) ? (consultant?.id ?? null) : null,
        printDay(day),
        status,
        rating,
      ],
    },
  };
}

/** The day the customer signs; null when none does within the three years. */
function decideOrder(enquiry: Enquiry, drive: Drive | null, random: Random): number | null {
  if (enquiry.assignedDay === null) return null;
  const probability = drive?.isDone ? 0.57 : drive === null ? 0.22 : 0.12;
  if (!random.chance(probability)) return null;
  const day = (drive?.day ?? enquiry.assignedDay) + random.integer(1, 38);
  return day <= LAST_DAY ? day : null;
}

function printLead(enquiry: Enquiry, isWon: boolean, random: Random): DemoRow {
  return {
    table: 'leads',
    values: [
      enquiry.leadId,
      enquiry.accountId,
      enquiry.series.id,
      enquiry.channel.id,
      enquiry.campaign?.id ?? null,
      enquiry.city.id,
      enquiry.dealer?.id ?? null,
      printDay(enquiry.createdDay),
      enquiry.assignedDay === null ? null : printDay(enquiry.assignedDay),
      isWon ? 'L4' : leadStatus(enquiry, random),
      enquiry.isNetNew ? 1 : 0,
      enquiry.isDeleted ? 1 : 0,
    ],
  };
}

/** Leads that never sign are closed as lost after some months. */
function leadStatus(enquiry: Enquiry, random: Random): string {
  const age = LAST_DAY - enquiry.createdDay;
  if (age > 150 && random.chance(0.94)) return 'L9';
  if (enquiry.dealer === null) return 'L1';
  return random.chance(0.35) ? 'L3' : random.chance(0.7) ? 'L2' : 'L1';
}

function pickConsultant(dealer: Dealer, day: number, random: Random): Employee | null {
  const present = dealer.staff.filter(
    (person) => person.role === 'SC' && person.hiredDay <= day && (person.leftDay ?? Infinity) > day,
  );
  return present.length === 0 ? null : random.pick(present);
}

const drawRating = createSampler([5, 4, 3, 2, 1], (rating) => itemAt([0, 3, 6, 17, 41, 33], rating));

function channelOf(campaign: Campaign): Channel {
  const channel = CHANNELS.find((item) => item.id === campaign.channelId);
  if (channel === undefined) throw new RangeError(`campaign ${campaign.id} names no channel`);
  return channel;
}

interface Customer {
  readonly accountId: number;
  readonly city: City;
  /** The row of a customer seen for the first time. */
  readonly row: DemoRow | null;
}

/** Remembers who has come before, so that some leads are of known customers. */
interface CustomerBook {
  find(city: City, day: number): Customer;
}

/** About two leads in five come from customers who asked before. */
function createCustomerBook(random: Random): CustomerBook {
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
