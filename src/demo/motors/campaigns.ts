import { firstDayOfMonth, printDay, readDay } from './days.ts';
import { BRANDS } from './products.ts';
import { itemAt, type Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';

/** Lead channels on two levels. Weights are shares of the leads that no campaign brought. */
export interface Channel {
  readonly id: number;
  readonly levelOne: string;
  readonly levelTwo: string;
  readonly isPaid: 0 | 1;
  readonly weight: number;
  /** How likely a lead of the channel is to take a test drive, in percent. */
  readonly driveRate: number;
}

// biome-ignore format: one channel per line reads as a table
export const CHANNELS: readonly Channel[] = [
  { id: 11, levelOne: 'Online', levelTwo: 'Website', isPaid: 0, weight: 212, driveRate: 37 },
  { id: 12, levelOne: 'Online', levelTwo: 'Car Portal', isPaid: 1, weight: 163, driveRate: 29 },
  { id: 13, levelOne: 'Online', levelTwo: 'Social Media', isPaid: 1, weight: 127, driveRate: 24 },
  { id: 14, levelOne: 'Online', levelTwo: 'Search Ads', isPaid: 1, weight: 71, driveRate: 31 },
  { id: 21, levelOne: 'Showroom', levelTwo: 'Walk-in', isPaid: 0, weight: 188, driveRate: 63 },
  { id: 22, levelOne: 'Showroom', levelTwo: 'Phone Call', isPaid: 0, weight: 57, driveRate: 48 },
  { id: 31, levelOne: 'Events', levelTwo: 'Motor Show', isPaid: 1, weight: 39, driveRate: 41 },
  { id: 32, levelOne: 'Events', levelTwo: 'Roadshow', isPaid: 1, weight: 46, driveRate: 52 },
  { id: 41, levelOne: 'Referral', levelTwo: 'Owner Referral', isPaid: 0, weight: 68, driveRate: 66 },
  { id: 42, levelOne: 'Referral', levelTwo: 'Employee Referral', isPaid: 0, weight: 17, driveRate: 58 },
  { id: 51, levelOne: 'Corporate', levelTwo: 'Fleet Desk', isPaid: 0, weight: 34, driveRate: 44 },
  { id: 52, levelOne: 'Corporate', levelTwo: 'Leasing Partner', isPaid: 1, weight: 23, driveRate: 35 },
];

export interface Campaign {
  readonly id: number;
  readonly name: string;
  readonly channelId: number;
  readonly brandId: number | null;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly budget: number;
}

const THEMES = [
  'New Year Offers',
  'Winter Check-in',
  'Spring Test Weeks',
  'Open House',
  'Family Days',
  'Summer Drive',
  'Holiday Bonus',
  'Late Summer Deals',
  'Motor Show',
  'Autumn Launch',
  'Black Week',
  'Year-End Finale',
] as const;

const PAID_CHANNELS = CHANNELS.filter((channel) => channel.isPaid === 1);

/** Two campaigns a month: one of a brand, one of the group or of another brand. */
export function planCampaigns(random: Random): readonly Campaign[] {
  const campaigns: Campaign[] = [];
  for (let month = 0; month < 36; month++) {
    const theme = itemAt(THEMES, month % 12);
    const year = 2022 + Math.floor(month / 12);
    const own = itemAt(BRANDS, (month + Math.floor(month / 12)) % BRANDS.length);
    const other = itemAt(BRANDS, (month + 2) % BRANDS.length);
    for (const brand of [own, month % 3 === 0 ? null : other === own ? null : other]) {
      const firstDay = readDay(firstDayOfMonth(month)) + random.integer(0, 9);
      campaigns.push({
        id: 1001 + campaigns.length,
        name: `${brand?.name ?? 'Group'} ${theme} ${year}`,
        channelId: random.pick(PAID_CHANNELS).id,
        brandId: brand?.id ?? null,
        firstDay,
        lastDay: firstDay + random.integer(13, 34),
        budget: random.integer(18, 120) * 2_500,
      });
    }
  }
  return campaigns;
}

/** The campaigns as rows. */
export function* generateCampaignRows(campaigns: readonly Campaign[]): Generator<DemoRow> {
  for (const campaign of campaigns) {
    yield {
      table: 'campaigns',
      values: [
        campaign.id,
        campaign.name,
        campaign.channelId,
        campaign.brandId,
        printDay(campaign.firstDay),
        printDay(campaign.lastDay),
        campaign.budget,
      ],
    };
  }
}
