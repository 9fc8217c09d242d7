import { DAY_COUNT, printDay } from './days.ts';
import { CITIES } from './places.ts';
import { createSampler, itemAt, type Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';

export interface Dealer {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly areaId: number;
  readonly salesAreaId: number;
  readonly type: 'A' | 'B' | 'C';
  readonly openedDay: number;
  readonly closedDay: number | null;
  readonly weight: number;
  readonly staff: readonly Employee[];
}

export interface Employee {
  readonly id: number;
  readonly name: string;
  readonly role: 'SC' | 'SM' | 'SA';
  readonly hiredDay: number;
  readonly leftDay: number | null;
}

const SURNAMES =
  `Adair Barlow Brennan Calder Carrick Castell Corrigan Dalton Darrow Denholm Easton Ellery Farrow Fenwick Garrick
Gilmore Hadley Halloran Hartwell Ingram Jarrow Keating Kendrick Kirkwood Lambert Landry Lockwood Mallory Marsden Mercer Naylor
Norris Oakley Ormond Paxton Pemberton Quillan Radley Ramsay Renwick Rowntree Sadler Selwyn Shelby Stratton Tarrant Thorne
Underhill Upton Vance Varley Wakefield Warrick Weller Whitlock Winthrop Wyatt Yardley York Zeller`.split(
    /\s+/,
  );
const FIRST_NAMES =
  `Ada Alan Beth Bruno Carla Colin Diana Dylan Elena Emil Faye Felix Gina Grant Hanna Hugo Iris Ivan Jana
Jonas Karen Karl Lena Louis Maria Miles Nadia Nils Olga Oscar Paula Pavel Rita Robin Sara Simon Tessa Tomas Ursula Victor Wendy
Yusuf Zoe`.split(/\s+/);
const HOUSES = ['Motors', 'Automobiles', 'Cars'] as const;

/** Three dealers a city on average, more in large cities; about one in five is registered elsewhere. */
export function planDealers(random: Random): readonly Dealer[] {
  const anyCity = createSampler(CITIES, (city) => city.weight);
  const dealers: Dealer[] = [];
  let employeeId = 20_001;
  for (const city of CITIES) {
    const count = city.tier === 1 ? 5 : city.tier === 2 ? 3 : 2;
    for (let place = 0; place < count; place++) {
      const index = dealers.length;
      const type = place === 0 ? 'A' : random.chance(0.6) ? 'B' : 'C';
      const openedDay = random.chance(0.1) ? random.integer(30, 800) : -random.integer(100, 4000);
      const isClosed = place > 1 && random.chance(0.11);
      const staff = planStaff(type, openedDay, employeeId, random);
      employeeId += staff.length;
      dealers.push({
        id: 501 + index,
        code: `D${String(city.id).padStart(4, '0')}${place + 1}`,
        name: `${itemAt(SURNAMES, (index * 7) % SURNAMES.length)} ${itemAt(HOUSES, Math.floor(index / SURNAMES.length) % 3)}`,
        areaId: random.chance(0.2) ? anyCity(random).id : city.id,
        salesAreaId: city.id,
        type,
        openedDay,
        closedDay: isClosed ? random.integer(Math.max(openedDay, 0) + 120, DAY_COUNT - 20) : null,
        weight:
          type === 'A'
            ? random.integer(80, 130)
            : type === 'B'
              ? random.integer(40, 75)
              : random.integer(15, 35),
        staff,
      });
    }
  }
  return dealers;
}

function planStaff(
  type: Dealer['type'],
  openedDay: number,
  firstId: number,
  random: Random,
): readonly Employee[] {
  const consultants = type === 'A' ? random.integer(5, 8) : type === 'B' ? random.integer(3, 5) : 2;
  const advisers = type === 'A' ? 2 : type === 'B' ? 1 : 0;
  const roles = [
    'SM' as const,
    ...Array.from({ length: consultants }, () => 'SC' as const),
    ...Array.from({ length: advisers }, () => 'SA' as const),
  ];
  return roles.map((role, index) => {
    const hiredDay = Math.max(openedDay, openedDay + random.integer(0, 1200));
    const hasLeft = index > 1 && random.chance(0.18);
    return {
      id: firstId + index,
      name: `${random.pick(FIRST_NAMES)} ${random.pick(SURNAMES)}`,
      role,
      hiredDay: Math.min(hiredDay, DAY_COUNT - 200),
      leftDay: hasLeft ? random.integer(DAY_COUNT - 190, DAY_COUNT - 5) : null,
    };
  });
}

/** Dealers and their staff as rows. */
export function* generateDealerRows(dealers: readonly Dealer[]): Generator<DemoRow> {
  for (const dealer of dealers) {
    yield {
      table: 'dealers',
      values: [
        dealer.id,
        dealer.code,
        dealer.name,
        dealer.areaId,
        dealer.salesAreaId,
        dealer.type,
        printDay(dealer.openedDay),
        dealer.closedDay === null ? null : printDay(dealer.closedDay),
      ],
    };
    for (const employee of dealer.staff) {
      yield {
        table: 'employees',
        values: [
          employee.id,
          employee.name,
          dealer.id,
          employee.role,
          printDay(employee.hiredDay),
          employee.leftDay === null ? null : printDay(employee.leftDay),
        ],
      };
    }
  }
}
