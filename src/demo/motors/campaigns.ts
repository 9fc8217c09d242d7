import { CHANNELS } from './channels.ts';
import { firstDayOfMonth, printDay, readDay } from './days.ts';
import { BRANDS } from './products.ts';
import { itemAt, type Random } from './random.ts';
import type { DemoRow } from './table-spec.ts';

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
