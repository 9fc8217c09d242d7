import { BoundedMap } from '../lib/index.ts';
import { lemmaOf } from './inflection.ts';

/** Where a name changes from small letters or digits to a capital, or from capitals to a word: `unitPrice`, `GDPGrowth`, `IDs` in one. */
const BORDERS = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu;

/** A text with a blank wherever a word begins inside of what is written in one: `GDPGrowth of 2020` → `GDP Growth of 2020`. */
export function breakWords(text: string): string {
  return text.replace(BORDERS, ' ');
}

/** The words of a name in lower case: `CustomerID`, `customer_id` and `Customer Id` → `['customer', 'id']`. */
export function nameWords(name: string): string[] {
  return breakWords(name)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  no: 'number',
  num: 'number',
  nbr: 'number',
  qty: 'quantity',
  desc: 'description',
  descr: 'description',
  amt: 'amount',
  addr: 'address',
  dept: 'department',
  emp: 'employee',
  tel: 'phone',
  yr: 'year',
  pct: 'percent',
  avg: 'average',
  lat: 'latitude',
  lng: 'longitude',
  lon: 'longitude',
  abbrev: 'abbreviation',
  abbr: 'abbreviation',
  min: 'minimum',
  max: 'maximum',
  prof: 'professor',
  stu: 'student',
  ref: 'reference',
  cust: 'customer',
  mgr: 'manager',
  org: 'organization',
  loc: 'location',
  lvl: 'level',
  temp: 'temperature',
  cnt: 'count',
  std: 'standard',
  mpg: 'mpg',
  apt: 'apartment',
  acc: 'account',
  acct: 'account',
  bal: 'balance',
  bldg: 'building',
  dest: 'destination',
  dst: 'destination',
  src: 'source',
  lang: 'language',
  univ: 'university',
  pos: 'position',
  pts: 'point',
  dt: 'date',
  img: 'image',
  hq: 'headquarter',
  mfr: 'manufacturer',
  trans: 'transaction',
  doc: 'document',
  docs: 'document',
};

/** Names written in one piece whose parts people say apart. */
const JOINED: Readonly<Record<string, readonly string[]>> = {
  fname: ['first', 'name'],
  lname: ['last', 'name'],
  firstname: ['first', 'name'],
  lastname: ['last', 'name'],
  fullname: ['full', 'name'],
  username: ['user', 'name'],
  nickname: ['nickname'],
  dob: ['birth', 'date'],
  birthday: ['birth', 'day'],
  birthdate: ['birth', 'date'],
  stuid: ['student', 'id'],
  zipcode: ['zip', 'code'],
  postcode: ['post', 'code'],
  sourceairport: ['source', 'airport'],
  destairport: ['destination', 'airport'],
  lifeexpectancy: ['life', 'expectancy'],
};

/** `paperid`, `journalname`: the end is a word of its own. */
const GLUED = /^(\p{L}{4,20})(id|name|code)$/u;
const UNGLUED: ReadonlySet<string> = new Set(
  'alkaloid amyloid android asteroid candid celluloid cuboid eyelid fibroid forbid forename hominid humanoid hybrid invalid liquid madrid morbid nickname opioid orchid outbid overpaid plasmid polaroid postpaid prepaid pyramid splendid steroid stupid surname tabloid thyroid typhoid underpaid unpaid'.split(
    ' ',
  ),
);

const splits = new BoundedMap<string, string[]>(200_000);

/** Words of a schema name, lemmatised: `template_type_code`, `FlightNo`, `Mean_Temp` → their parts. */
export function splitName(name: string): string[] {
  return splits.getOrMake(name, split);
}

function split(name: string): string[] {
  const joined = nameWords(name)
    .join(' ')
    .replace(/\b([fl]) name\b/g, '$1name');
  return joined
    .split(' ')
    .filter((word) => word !== '')
    .flatMap(
      (word) =>
        entry(JOINED, lemmaOf(word)) ??
        unglue(word).map((part) => entry(ABBREVIATIONS, part) ?? lemmaOf(part)),
    );
}

function unglue(word: string): string[] {
  const [, head, tail] = UNGLUED.has(word) ? [] : (GLUED.exec(word) ?? []);
  return head === undefined || tail === undefined ? [word] : [head, tail];
}

/** Never what every object has: `constructor` is a word of motor racing. */
function entry<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

// Words as they stand in a text.

const ASCII = /^[\0-\x7f]*$/;

/**
 * A pattern that matches in this text where no letter and no digit stands beside it; `beside` names more characters that may not. In a text
 * of plain letters it looks for those alone, which finds the same: V8 builds the class of all letters anew for each pattern, a millisecond
 * each, and a question is held against a hundred.
 */
export function wholeWords(pattern: string, flags: string, text: string, beside = ''): RegExp {
  const word = ASCII.test(text) ? `[A-Za-z0-9${beside}]` : `[\\p{L}\\p{N}${beside}]`;
  return new RegExp(`(?<!${word})${pattern}(?!${word})`, flags);
}
