import { stemOf } from './inflection.ts';
import { splitName } from './split-words.ts';

/** Words of everyday English that name the same thing in most databases; our own list, any domain. */
const GROUPS: readonly string[] = [
  'gender, sex',
  'phone, telephone, mobile, phone number, telephone number',
  'maker, manufacturer, producer',
  'institution, institute, inst',
  'movie, film',
  'song, track',
  'salary, wage, pay, income',
  'country, nation',
  'nationality, citizenship',
  'city, town',
  'cost, price, fee, charge',
  'surname, last name, family name',
  'forename, first name, given name',
  'birthday, birth date, date of birth, born, dob',
  'author, writer, written',
  'director, directed, direct',
  'producer, produced',
  'creator, created',
  'picture, photo, image',
  'car, vehicle, auto',
  'firm, company',
  'employee, staff, worker',
  'customer, client',
  'teacher, instructor, professor',
  'student, pupil',
  'age, old',
  'height, tall, high',
  'weight, weigh, heavy',
  'length, long, duration, millisecond',
  'zip, zip code, postcode, postal code, post code',
  'email, e-mail, mail, email address',
  'position, rank, place',
  'rating, rate, score, star',
  'genre, category, kind, type',
  'quantity, amount, number',
  'total, revenue, sale, turnover, amount, money',
  'start, begin, beginning',
  'end, finish',
  'title, name',
  'full name, name',
  'nickname, alias',
  'abbreviation, short name',
  'headquarter, headquartered',
  'destination, arrival',
  'origin, departure, source',
  'identifier, id',
  'detail, description',
  'state, province',
  'state, status',
  'food type, cuisine',
  'food, cuisine',
  'boss, manager, supervisor',
  'physician, doctor',
  'airline, carrier',
  'shop, store',
  'purchase, order',
  'kid, child',
  'copy, inventory',
  'earning, earn',
  'homepage, website, url',
];

const others = new Map<string, string[][]>();
/** The same for people to read: "first name" → forename, given name. */
const spelt = new Map<string, string[]>();
for (const group of GROUPS) {
  const written = group.split(',').map((phrase) => phrase.trim());
  // In the words a name is split into, without the "of" that names are compared without.
  const phrases = written.map((phrase) =>
    splitName(phrase)
      .filter((word) => word !== 'of')
      .map(stemOf),
  );
  for (const [at, phrase] of phrases.entries()) {
    const key = phrase.join(' ');
    spelt.set(key, [...(spelt.get(key) ?? []), ...written.filter((_, other) => other !== at)]);
    others.set(key, [...(others.get(key) ?? []), ...phrases.filter((other) => other !== phrase)]);
  }
}

/** Other stemmed phrases for a stemmed phrase; empty when we know none. */
export function synonymsOf(stems: readonly string[]): readonly (readonly string[])[] {
  return others.get(stems.join(' ')) ?? [];
}

/** The same, as they are written, for one word. */
export function synonymsOfWord(lower: string): readonly string[] {
  return spelt.get(stemOf(lower)) ?? [];
}

const OPPOSITES: readonly (readonly [string, string])[] = [
  ['open', 'closed'],
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['available', 'unavailable'],
  ['paid', 'unpaid'],
  ['public', 'private'],
  ['online', 'offline'],
  ['valid', 'invalid'],
  ['married', 'unmarried'],
  ['verified', 'unverified'],
  ['published', 'unpublished'],
];

/** The word for what is not so: "closed" for `is_open`. */
export function oppositeOf(word: string): string | undefined {
  const pair = OPPOSITES.find((words) => words.includes(word));
  return pair?.find((other) => other !== word);
}
