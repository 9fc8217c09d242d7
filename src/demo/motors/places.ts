/** Invented places. Weights are shares of demand; the first city of a province is its largest. */
export interface Province {
  readonly id: number;
  readonly name: string;
  readonly region: string;
  readonly weight: number;
}

export interface City {
  readonly id: number;
  readonly name: string;
  readonly provinceId: number;
  readonly tier: 1 | 2 | 3;
  readonly weight: number;
}

type PlaceLine = readonly [province: string, region: string, weight: number, cities: string];

const PLACES: readonly PlaceLine[] = [
  ['Northmere', 'North', 104, 'Frosthaven, Kingsport, Elmbridge, Norwick, Stonebay'],
  ['Halgate', 'North', 71, 'Halburg, Ironford, Redcliff, Ashmoor, Wexley'],
  ['Eastvale', 'East', 132, 'Sunport, Merrow, Dunhill, Oakhaven, Linwood'],
  ['Carrow', 'East', 88, 'Carrow, Fairhaven, Tidewell, Copperton, Newport'],
  ['Brightwater', 'East', 117, 'Brightport, Silverlake, Marlow, Bayfield, Seabrook'],
  ['Southmoor', 'South', 95, 'Southgate, Thornbury, Greenholm, Haverton, Millbrook'],
  ['Palmera', 'South', 79, 'Palma Bay, Coralton, Sandhurst, Limewood, Port Isla'],
  ['Verano', 'South', 63, 'Veradale, Solmar, Casalto, Rio Claro, Fontera'],
  ['Westmarch', 'West', 84, 'Westbridge, Larkspur, Ravensfield, Holloway, Newport'],
  ['Ridgeland', 'West', 52, 'Summit City, Pinecrest, Boulder Falls, Cedar Ridge, Aurora'],
  ['Midford', 'Central', 67, 'Crossways, Millhaven, Abbotsford, Charlton, Wickham'],
  ['Lakeshore', 'Central', 58, 'Lakeview, Harborne, Winslow, Stillwater, Greyfield'],
];

const CITY_SHARES = [43, 25, 15, 10, 7] as const;
const CITY_TIERS = [1, 2, 2, 3, 3] as const;

export const PROVINCES: readonly Province[] = PLACES.map(([name, region, weight], index) => ({
  id: index + 1,
  name,
  region,
  weight,
}));

export const CITIES: readonly City[] = PLACES.flatMap(([, , weight, cities], provinceIndex) =>
  cities.split(', ').map((name, index) => ({
    id: (provinceIndex + 1) * 100 + index + 1,
    name,
    provinceId: provinceIndex + 1,
    tier: CITY_TIERS[index] ?? 3,
    weight: weight * (CITY_SHARES[index] ?? 5),
  })),
);
