/** Distinct values as the text columns of a company hold them: people, firms, places, products, codes. */
import type { ColumnValues } from '../../src/catalog/index.ts';
import { createRandom, type Random } from '../../src/demo/motors/random.ts';
import { CITIES, ENTITIES, NAME_ENDS, NAME_STARTS } from '../business-words.ts';

const FIRST_NAMES =
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Carlos Karen Chen Lisa Mohammed Nancy Juan Sofia Ahmed Olga Ivan Fatima Hiroshi Yuki Pierre Camille Lars Ingrid Giovanni Chiara Piotr Agnieszka'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bi bo bu ca ce co da de di do fa fe fi ga go ha he hi ja jo ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no pa pe pi po ra re ri ro ru sa se si so ta te ti to va ve vi za zo ber man son ton ley ford well stein ez sky'.split(
    ' ',
  );
const FORMS = 'Ltd Inc GmbH LLC SA AG Co Group Partners Holdings'.split(' ');
const QUALITIES =
  'Wireless Compact Portable Heavy Premium Basic Digital Smart Classic Ultra Mini Pro Eco Steel Carbon'.split(
    ' ',
  );
const COLOURS = 'Black White Red Blue Green Grey Silver'.split(' ');

const KINDS: readonly {
  readonly columnId: string;
  readonly share: number;
  readonly write: (random: Random) => string;
}[] = [
  {
    columnId: 'customers.name',
    share: 0.35,
    write: (random) => `${random.pick(FIRST_NAMES)} ${surname(random)}`,
  },
  {
    columnId: 'suppliers.company_name',
    share: 0.15,
    write: (random) => `${surname(random)} ${random.pick(NAME_ENDS)} ${random.pick(FORMS)}`,
  },
  { columnId: 'sites.city', share: 0.1, write: (random) => `${random.pick(NAME_STARTS)} ${surname(random)}` },
  {
    columnId: 'products.product_name',
    share: 0.25,
    write: (random) =>
      `${random.pick(QUALITIES)} ${random.pick(COLOURS)} ${capital(random.pick(ENTITIES))} ${surname(random)} ${random.integer(1, 999)}`,
  },
  {
    columnId: 'parts.code',
    share: 0.15,
    write: (random) =>
      `${random.pick(CITIES).slice(0, 3).toUpperCase()}-${random.integer(10_000, 99_999)}-${random.integer(10, 99)}`,
  },
];

/** Columns with `count` distinct texts together, the same for the same seed. */
export function generateValues(count: number, seed: number): ColumnValues[] {
  const random = createRandom(seed);
  const seen = new Set<string>();
  return KINDS.map(({ columnId, share, write }) => {
    const wanted = Math.round(count * share);
    const values: (readonly [string, number])[] = [];
    while (values.length < wanted) {
      const text = write(random);
      if (seen.has(text)) continue;
      seen.add(text);
      values.push([text, random.integer(1, 50)]);
    }
    return { columnId, distinctCount: wanted, values };
  });
}

/** What people type for a stored value: as it is, in another case, a part of it, or with a slip of the fingers. */
export function typedLike(value: string, random: Random): string {
  switch (random.integer(0, 4)) {
    case 0:
      return value;
    case 1:
      return value.toLowerCase();
    case 2:
      return value.split(' ').slice(0, 2).join(' ');
    case 3: {
      const at = random.integer(0, value.length - 1);
      return value.slice(0, at) + value.slice(at + 1);
    }
    default: {
      const at = random.integer(0, Math.max(0, value.length - 2));
      return value.slice(0, at) + value.charAt(at + 1) + value.charAt(at) + value.slice(at + 2);
    }
  }
}

function surname(random: Random): string {
  return capital(Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join(''));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
