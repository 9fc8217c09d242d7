/** Invented brands, series and models of the demo. */
export interface Brand {
  readonly id: number;
  readonly name: string;
  readonly segment: string;
  readonly foundedYear: number;
}

export interface Series {
  readonly id: number;
  readonly name: string;
  readonly brandId: number;
  readonly bodyType: string;
  readonly launchedOn: string;
  readonly discontinuedOn: string | null;
  /** Demand in 2022, 2023 and 2024. */
  readonly weights: readonly [number, number, number];
  readonly models: readonly Model[];
}

export interface Model {
  readonly id: number;
  readonly name: string;
  readonly seriesId: number;
  readonly energyType: 1 | 2 | 3;
  readonly listPrice: number;
  readonly seats: number;
  readonly rangeKm: number | null;
  readonly weight: number;
}

export const BRANDS: readonly Brand[] = [
  { id: 1, name: 'Halden', segment: 'premium', foundedYear: 1927 },
  { id: 2, name: 'Kestrel', segment: 'volume', foundedYear: 1954 },
  { id: 3, name: 'Norvik', segment: 'electric', foundedYear: 2014 },
  { id: 4, name: 'Solane', segment: 'family', foundedYear: 1968 },
];

type ModelLine = readonly [
  trim: string,
  energy: 1 | 2 | 3,
  price: number,
  rangeKm: number | null,
  weight: number,
];
type SeriesLine = readonly [
  name: string,
  brandId: number,
  bodyType: string,
  launchedOn: string,
  discontinuedOn: string | null,
  weights: readonly [number, number, number],
  seats: number,
  models: readonly ModelLine[],
];

// biome-ignore format: one model per line reads as a table
const LINES: readonly SeriesLine[] = [
  ['Regent', 1, 'SED', '2019-03-11', null, [58, 52, 44], 5, [
    ['2.0 Business', 1, 48_900, null, 50], ['2.0 Executive', 1, 55_400, null, 30], ['eHybrid', 3, 59_800, 78, 20]]],
  ['Monarch', 1, 'SUV', '2020-09-07', null, [74, 79, 83], 5, [
    ['2.0 Select', 1, 57_300, null, 45], ['eHybrid', 3, 66_900, 82, 35], ['Electric', 2, 71_500, 510, 20]]],
  ['Paladin', 1, 'SUV', '2022-05-16', null, [21, 34, 37], 7, [
    ['3.0 Grand', 1, 78_200, null, 40], ['eHybrid Grand', 3, 86_700, 71, 60]]],
  ['Merlin', 2, 'HAT', '2018-01-22', null, [118, 109, 96], 5, [
    ['1.2 City', 1, 18_400, null, 46], ['1.5 Style', 1, 21_200, null, 34], ['1.5 Sport', 1, 23_900, null, 20]]],
  ['Falco', 2, 'SED', '2017-06-05', '2024-06-30', [87, 71, 39], 5, [
    ['1.5 Classic', 1, 22_600, null, 55], ['1.5 Comfort', 1, 25_100, null, 31], ['1.8 Sport', 1, 28_300, null, 14]]],
  ['Osprey', 2, 'SUV', '2019-10-14', null, [134, 141, 137], 5, [
    ['1.5 Comfort', 1, 27_800, null, 44], ['2.0 Terrain', 1, 32_500, null, 27], ['Hybrid Plus', 3, 36_900, 64, 29]]],
  ['Wren', 2, 'HAT', '2021-02-08', null, [63, 72, 85], 4, [
    ['Electric 40', 2, 21_900, 265, 57], ['Electric 52', 2, 25_700, 345, 43]]],
  ['Fjord', 3, 'SUV', '2020-04-20', null, [69, 98, 126], 5, [
    ['60 Pure', 2, 39_400, 430, 42], ['77 Long Range', 2, 45_900, 560, 41], ['77 Dual Motor', 2, 51_200, 520, 17]]],
  ['Glacier', 3, 'SED', '2021-11-01', null, [41, 57, 66], 5, [
    ['60 Pure', 2, 42_700, 470, 48], ['82 Long Range', 2, 49_800, 640, 37], ['82 Performance', 2, 58_600, 590, 15]]],
  ['Aurora', 3, 'MPV', '2022-08-29', null, [12, 33, 47], 7, [
    ['Family', 2, 47_300, 450, 52], ['Lounge', 2, 56_100, 440, 29], ['Travel', 2, 52_400, 530, 19]]],
  ['Drift', 3, 'HAT', '2023-03-20', null, [0, 46, 78], 5, [
    ['45 Start', 2, 27_200, 310, 49], ['58 Move', 2, 31_600, 420, 36], ['58 Sport', 2, 35_300, 395, 15]]],
  ['Terra', 4, 'EST', '2018-08-13', null, [76, 68, 57], 5, [
    ['1.6 Family', 1, 26_300, null, 58], ['2.0 Family', 1, 30_700, null, 24], ['Hybrid Plus', 3, 34_800, 61, 18]]],
  ['Luma', 4, 'MPV', '2019-05-27', null, [61, 58, 54], 7, [
    ['1.6 Seven', 1, 29_900, null, 53], ['2.0 Seven', 1, 34_200, null, 26], ['Electric Seven', 2, 43_600, 380, 21]]],
  ['Vela', 4, 'SUV', '2021-06-21', null, [82, 93, 101], 5, [
    ['1.6 Urban', 1, 25_400, null, 47], ['Hybrid Plus', 3, 31_800, 66, 32], ['Electric', 2, 38_900, 405, 21]]],
];

export const SERIES: readonly Series[] = LINES.map((line, index) => {
  const [name, brandId, bodyType, launchedOn, discontinuedOn, weights, seats, models] = line;
  const id = index + 1;
  return {
    id,
    name,
    brandId,
    bodyType,
    launchedOn,
    discontinuedOn,
    weights,
    models: models.map(([trim, energyType, listPrice, rangeKm, weight], place) => ({
      id: id * 10 + place + 1,
      name: `${name} ${trim}`,
      seriesId: id,
      energyType,
      listPrice,
      seats,
      rangeKm,
      weight,
    })),
  };
});
