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
