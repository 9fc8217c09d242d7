import { stemOf } from '../../../../language/index.ts';

/**
 * Short forms in names of columns, with the words that they stand for, the likeliest first. Those that stand for one word wherever they occur are
 * spelt out where a name is split (`split-name.ts`); these are tried where a word of a question names nothing otherwise.
 */
const SHORT: Readonly<Record<string, string>> = {
  pmt: 'payment',
  pymt: 'payment',
  pay: 'payment',
  shp: 'shipment',
  shpmt: 'shipment',
  ship: 'shipment, shipping',
  dlv: 'delivery',
  dlvr: 'delivery',
  deliv: 'delivery',
  veh: 'vehicle',
  inv: 'invoice, inventory, investment',
  ord: 'order',
  prod: 'product, production',
  prd: 'product, period',
  itm: 'item',
  cat: 'category',
  ctgry: 'category',
  grp: 'group',
  nm: 'name',
  cd: 'code',
  stat: 'status, statistic',
  sts: 'status',
  st: 'state, street, status',
  ctry: 'country',
  cntry: 'country',
  cty: 'city, county',
  zip: 'postcode',
  mth: 'month',
  mo: 'month',
  mnth: 'month',
  wk: 'week',
  qtr: 'quarter',
  hr: 'hour',
  hrs: 'hour',
  wt: 'weight',
  wgt: 'weight',
  ht: 'height',
  len: 'length',
  dist: 'distance, district',
  dur: 'duration',
  temp: 'temperature, temporary',
  vol: 'volume',
  cap: 'capacity, capital',
  spd: 'speed',
  odo: 'odometer, mileage',
  rev: 'revenue, review, revision',
  exp: 'expense, expiry, experience',
  bgt: 'budget',
  disc: 'discount',
  chg: 'charge, change',
  prc: 'price',
  ttl: 'total',
  tot: 'total',
  bal: 'balance',
  txn: 'transaction',
  trx: 'transaction',
  tran: 'transaction',
  mgmt: 'management',
  sup: 'supplier, supervisor',
  supp: 'supplier',
  splr: 'supplier',
  vend: 'vendor',
  vndr: 'vendor',
  whse: 'warehouse',
  wh: 'warehouse',
  loc: 'location',
  lvl: 'level',
  svc: 'service',
  srv: 'service, server',
  orig: 'origin, original',
  dept: 'department',
  div: 'division',
  rgn: 'region',
  reg: 'region, registration',
  terr: 'territory',
  pol: 'policy',
  clm: 'claim',
  prem: 'premium',
  ben: 'benefit, beneficiary',
  pt: 'patient, point, part',
  pat: 'patient',
  diag: 'diagnosis',
  proc: 'procedure, process',
  appt: 'appointment',
  rx: 'prescription',
  med: 'medication, medicine, medium',
  stud: 'student',
  crs: 'course',
  sem: 'semester',
  tchr: 'teacher',
  inst: 'institution, institute, instructor',
  sched: 'schedule',
  rsv: 'reservation',
  resv: 'reservation',
  res: 'reservation, result',
  bkg: 'booking',
  pax: 'passenger',
  flt: 'flight, float',
  arpt: 'airport',
  dep: 'departure, deposit, department',
  arr: 'arrival',
  usr: 'user',
  pwd: 'password',
  msg: 'message',
  cmt: 'comment',
  attr: 'attribute',
  cfg: 'configuration',
  evt: 'event',
  ts: 'timestamp, time',
  tm: 'time, team',
  crt: 'create',
  upd: 'update',
  mod: 'modify, model',
  del: 'delete, delivery',
  exec: 'executive',
  rep: 'representative',
  asst: 'assistant',
  hol: 'holiday',
  lic: 'licence, license',
  mfg: 'manufacturing',
  eqp: 'equipment',
  equip: 'equipment',
  maint: 'maintenance',
  pkg: 'package',
  pct: 'percentage',
  cmp: 'company, campaign',
  co: 'company',
  corp: 'corporation',
  brnch: 'branch',
  br: 'branch',
};

const longer = new Map<string, readonly string[]>();
const shorter = new Map<string, string[]>();
for (const [short, words] of Object.entries(SHORT)) {
  const list = words.split(', ');
  longer.set(short, list);
  for (const word of list) shorter.set(stemOf(word), [...(shorter.get(stemOf(word)) ?? []), short]);
}

/** How sure it is that a short form of the list stands for a word: the likeliest first. */
const LISTED = [0.9, 0.75, 0.65];
/** That letters of a name are the bones of a word is a guess. */
const GUESSED = 0.6;

/** How likely the short part of a name stands for a word (`pmt` for payment), in [0, 1]. */
export function abbreviates(part: string, word: string): number {
  const listed = longer.get(part);
  if (listed !== undefined) {
    const place = listed.findIndex((other) => stemOf(other) === stemOf(word));
    return place === -1 ? 0 : (LISTED[place] ?? 0.5);
  }
  return isSkeleton(part, word) ? GUESSED : 0;
}

/** The short forms of the list that may stand for a word. */
export function shortForms(word: string): readonly string[] {
  return shorter.get(stemOf(word)) ?? [];
}

/**
 * `shpmnt` for shipment: the first letter, then letters of the word in its order, its consonants before its vowels: a part that skips
 * a consonant between two that it has, as `cat` does in "customer act", is some other word.
 */
function isSkeleton(part: string, word: string): boolean {
  if (part.length < 3 || part.length > word.length - 2 || part[0] !== word[0]) return false;
  // `dept`, `veh`, `cust`: a beginning, or the consonants with few left out.
  if (word.startsWith(part)) return part.length >= 3 && word.length >= 6;
  if (/[aeiou]/.test(part.slice(1))) return false;
  let at = 0;
  let skipped = 0;
  for (const letter of word) {
    if (letter === part[at]) at++;
    else if (!/[aeiouy]/.test(letter)) skipped++;
    if (at === part.length) break;
  }
  return at === part.length && skipped <= 1;
}
