/** The words that are put into questions, by class. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { CandorError } from '../../../../errors.ts';
import { orYamlFault } from '../../../../lib/index.ts';

const WORD_CLASSES = ['noun', 'adjective', 'place', 'person', 'organisation'] as const;
export type WordClass = (typeof WORD_CLASSES)[number];

export type WordList = Readonly<Record<WordClass, readonly string[]>> & {
  /** Words and phrases with what may stand in their place. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
};

const WORD = z
  .string()
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}' -]*$/u, 'a word is of letters, digits, spaces, hyphens');
const WORDS = z.array(WORD).min(1).max(10_000);
const FILE = z.strictObject({
  noun: WORDS.optional(),
  adjective: WORDS.optional(),
  place: WORDS.optional(),
  person: WORDS.optional(),
  organisation: WORDS.optional(),
  synonyms: z.record(WORD, WORDS).optional(),
});

/**
 * Reads a file such as `{ noun: [trombone], place: [Atlantis], synonyms: { customer: [client] } }`, YAML or JSON. A class that it lacks
 * is taken from the list that ships. Throws `eval.words-invalid`.
 */
export async function readWordList(path: string | undefined): Promise<WordList> {
  if (path === undefined) return DEFAULT_WORDS;
  const fault = (why: string, cause?: unknown): CandorError =>
    new CandorError('eval.words-invalid', `${path}: ${why}`, { cause });
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('it cannot be read', cause);
  });
  const read = FILE.safeParse(parseYaml(text, fault));
  if (!read.success) throw fault(z.prettifyError(read.error).replaceAll('\n', ' '));
  return { ...DEFAULT_WORDS, ...withoutAbsent(read.data) };
}

function parseYaml(text: string, fault: (why: string, cause?: unknown) => CandorError): unknown {
  return orYamlFault(
    () => {
      try {
        return parse(text);
      } catch (cause) {
        if (cause instanceof Error && cause.name === 'YAMLParseError') throw fault(cause.message, cause);
        throw cause;
      }
    },
    (why) => fault(why),
  );
}

function withoutAbsent(read: z.infer<typeof FILE>): Partial<WordList> {
  return Object.fromEntries(Object.entries(read).filter(([, words]) => words !== undefined));
}

/** Short enough to stand in every record of a run. */
export function fingerprintWords(words: WordList): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 12);
}

/** Words that hardly any database knows, and synonyms with the senses that words have in questions to one. */
export const DEFAULT_WORDS = {
  noun: list(
    `accordion, bagpipe, beehive, canoe, chandelier, committee, dog, glacier, hammock, helmet, lantern, lighthouse, marmalade,
     parachute, sandwich, sombrero, tattoo, telescope, thermostat, trombone, umbrella, volcano, waffle, warranty`,
  ),
  adjective: list(
    `bilingual, blacklisted, certified, dormant, escalated, fragrant, handmade, haunted, loyal, obsolete, organic, premium,
     probationary, refunded, seasonal, sleepy, sponsored, suspicious, turbulent, vegetarian, velvet, vip, waterproof, zesty`,
  ),
  place: list(
    `Atlantis, Avalon, Brigadoon, Elbonia, Freedonia, Genovia, Gondor, Hyrule, Krakozhia, Latveria, Lilliput, Mordor, Narnia,
     Quahog, Ruritania, Shangri-La, Tamriel, Wakanda, Westeros, Xanadu, Zamunda, Zubrowka`,
  ),
  person: list(
    `Adele, Dumbledore, Fenwick Marrowby, Gandalf, Hermione Quibb, Jorvik Tansel, Ludmila Krzakova, Mirabel Quexley,
     Otto Vandersnoot, Quentin Abernoth, Taylor Swift, Thaddeus Wigglesby, Ulla Brimstad, Yorick Plimpton, Zaphod Beeblebrox, Zorblat`,
  ),
  organisation: list(
    `Aperture, Cyberdyne, Dunder Mifflin, Globex, Gringotts, Hooli, Initech, Nakatomi, Oscorp, Soylent, Tyrell, Vandelay,
     Weyland, Wonka, Zorg, Zwitsal`,
  ),
  synonyms: synonyms(`
    find the: look up the
    list the: enumerate the
    list all: enumerate all
    show the: display the
    show me: present
    give me: provide
    give the: provide the
    return the: retrieve the
    average: mean
    on average: on the average
    maximum: highest
    minimum: lowest
    highest: greatest
    lowest: smallest
    largest: biggest
    smallest: tiniest
    number of: count of
    total number of: overall number of
    different: distinct
    distinct: different
    belong to: are part of
    each: every
    every: each
    more than: over, in excess of
    less than: under, below
    greater than: above
    at least: no fewer than
    sorted: ordered
    ordered: sorted
    descending: decreasing
    ascending: increasing
    in alphabetical order: from A to Z
    customer: client, buyer
    employee: worker, staff member
    student: pupil
    teacher: instructor
    country: nation
    city: town
    film: movie
    movie: film
    car: automobile
    song: track
    singer: vocalist
    concert: gig
    store: shop
    shop: store
    invoice: bill
    price: cost
    salary: pay
    phone: telephone
    airport: airfield
    airline: carrier
    flight: air connection
    dog: hound
    owner: proprietor
    course: class
    department: division
    museum: gallery
    player: competitor
    matches: games
    winner: victor
    weight: mass
    battle: fight
    ship: vessel
    document: file
    language: tongue
    album: record
    artist: musician
    genre: style
    playlist: track list
    actor: performer
    rental: hire
    category: class
    payment: remittance
    dealer: reseller
    orders: purchases
    delivery: handover
    vehicle: automobile
    revenue: turnover
    title: name
    earliest: first
    latest: most recent
    people: persons
    population: number of inhabitants
  `),
};

function list(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim().replace(/\s+/g, ' '));
}

function synonyms(text: string): Readonly<Record<string, readonly string[]>> {
  const rows = text.trim().split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const [word = '', others = ''] = row.split(':');
      return [word.trim(), list(others)];
    }),
  );
}
