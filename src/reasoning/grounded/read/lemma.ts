import { stemmer } from 'stemmer';

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  mice: 'mouse',
  series: 'series',
  species: 'species',
  data: 'data',
  media: 'media',
  movies: 'movie',
  cities: 'city',
  lives: 'life',
  wives: 'wife',
  indices: 'index',
  statuses: 'status',
  status: 'status',
  address: 'address',
  addresses: 'address',
  campus: 'campus',
  campuses: 'campus',
  buses: 'bus',
  viruses: 'virus',
  bonus: 'bonus',
  gas: 'gas',
  has: 'have',
  had: 'have',
  is: 'be',
  are: 'be',
  was: 'be',
  were: 'be',
  does: 'do',
  did: 'do',
  done: 'do',
  bought: 'buy',
  sold: 'sell',
  won: 'win',
  made: 'make',
  paid: 'pay',
  spent: 'spend',
  written: 'write',
  wrote: 'write',
  taught: 'teach',
  held: 'hold',
  led: 'lead',
  sung: 'sing',
  sang: 'sing',
  took: 'take',
  taken: 'take',
  got: 'get',
  brought: 'bring',
  came: 'come',
  went: 'go',
  gave: 'give',
  given: 'give',
  ran: 'run',
  saw: 'see',
  seen: 'see',
  found: 'find',
  lost: 'lose',
  left: 'leave',
  kept: 'keep',
  sent: 'send',
  built: 'build',
  drove: 'drive',
  driven: 'drive',
  grew: 'grow',
  grown: 'grow',
  began: 'begin',
  chose: 'choose',
  chosen: 'choose',
  met: 'meet',
  knew: 'know',
  known: 'know',
  said: 'say',
  told: 'tell',
};

/** Singular of nouns and base form of irregular verbs; other words stay as they are. */
export function lemmaOf(lower: string): string {
  const known = Object.hasOwn(IRREGULAR, lower) ? IRREGULAR[lower] : undefined;
  if (known !== undefined) return known;
  if (lower.length <= 3 || !lower.endsWith('s') || /(ss|us|is)$/.test(lower)) return lower;
  if (lower.endsWith('ies') && lower.length > 4) return `${lower.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zes)$/.test(lower)) return lower.slice(0, -2);
  return lower.slice(0, -1);
}

const stems = new Map<string, string>();

/** Porter stem of the lemma, kept in memory because names repeat; looser than the lemma ("registered" ~ "registration"). */
export function stemOf(lower: string): string {
  let stem = stems.get(lower);
  if (stem === undefined) {
    stem = stemmer(lemmaOf(lower));
    if (stems.size > 50_000) stems.clear();
    stems.set(lower, stem);
  }
  return stem;
}
