/**
 * Nearest vectors by 1-bit codes and exact rescoring, beside comparing every row, on made-up vectors of 384 numbers.
 * `npx tsx bench/vector-index.ts [--smoke] [--output json]`; recall on real vectors is in `bench/embeddings.ts`.
 */
import { createRandom, type Random } from '../src/demo/motors/random.ts';
import { type VectorHit, VectorIndex } from '../src/knowledge/search/vector-index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const DIMENSIONS = 384;
const SIZES = [10_000, 100_000, 300_000];
const SMOKE_SIZES = [4_000, 8_000];
const QUERIES = 200;
const SMOKE_QUERIES = 10;
const HITS = 10;
/** Rows around one centre, as texts of one subject. */
const CLUSTER = 100;
/** Length of what a row has of its own, beside the length 1 of its centre. */
const OWN_PART = 0.8;
/** Length of what all rows have in common: encoders of sentences leave such a part in everything. */
const COMMON_PART = 0.5;

type Measured = Readonly<
  Record<
    | 'rows'
    | 'p50Ms'
    | 'p95Ms'
    | 'exactP50Ms'
    | 'exactP95Ms'
    | 'speedup'
    | 'recallAt10'
    | 'buildMs'
    | 'codeMb'
    | 'vectorMb',
    number
  >
>;

const options = readBenchOptions();
const sizes = options.isSmoke ? SMOKE_SIZES : SIZES;
const rows = sizes.map((size) => measure(size));
const growth = (key: 'p50Ms' | 'exactP50Ms'): number =>
  growthExponent(rows.map((row) => [row.rows, row[key]]));
printReport(
  {
    bench: 'vector-index',
    about: `the ${HITS} nearest of clustered vectors of ${DIMENSIONS} numbers; peer: every row compared`,
    rows,
    figures: {
      p50Growth: growth('p50Ms'),
      exactP50Growth: growth('exactP50Ms'),
      leastRecallAt10: Math.min(...rows.map(({ recallAt10 }) => recallAt10)),
    },
  },
  options,
);

function measure(size: number): Measured {
  const random = createRandom(size);
  const vectors = makeVectors(size, random);
  const queries = makeQueries(vectors, random);
  const from = performance.now();
  const index = VectorIndex.build(DIMENSIONS, vectors);
  const buildMs = performance.now() - from;
  const peer = VectorIndex.build(DIMENSIONS, vectors, { codesFrom: Number.POSITIVE_INFINITY });
  // The first searches are compiled: both sides would pay for it only once.
  for (const query of queries.slice(0, 5)) {
    index.search(query, HITS);
    peer.search(query, HITS);
  }
  const ownMs: number[] = [];
  const peerMs: number[] = [];
  let found = 0;
  // The two take turns, so that a slow moment of the machine meets both.
  for (const query of queries) {
    const right = timed(peerMs, () => peer.search(query, HITS));
    const least = right.at(-1)?.score ?? 0;
    found += timed(ownMs, () => index.search(query, HITS)).filter(({ score }) => score >= least).length;
  }
  const figures = { p50Ms: percentile(ownMs, 0.5), p95Ms: percentile(ownMs, 0.95) };
  const exact = { exactP50Ms: percentile(peerMs, 0.5), exactP95Ms: percentile(peerMs, 0.95) };
  return {
    rows: size,
    ...figures,
    ...exact,
    speedup: exact.exactP50Ms / figures.p50Ms,
    recallAt10: found / (queries.length * HITS),
    buildMs,
    codeMb: index.codeBytes / 1e6,
    vectorMb: vectors.byteLength / 1e6,
  };
}

function timed(times: number[], search: () => VectorHit[]): VectorHit[] {
  const from = performance.now();
  const hits = search();
  times.push(performance.now() - from);
  return hits;
}

/** Unit vectors: a common part, the part of a cluster and a part of their own. */
function makeVectors(size: number, random: Random): Float32Array {
  const common = direction(random);
  const centres = Array.from({ length: Math.ceil(size / CLUSTER) }, () => direction(random));
  const vectors = new Float32Array(size * DIMENSIONS);
  for (let row = 0; row < size; row++) {
    const own = direction(random);
    const centre = centres[row % centres.length] ?? common;
    const raw = own.map((value, i) => value * OWN_PART + (centre[i] ?? 0) + (common[i] ?? 0) * COMMON_PART);
    vectors.set(unit(raw), row * DIMENSIONS);
  }
  return vectors;
}

/** Near to some row, but none of them: a question is no name of a column. */
function makeQueries(vectors: Float32Array, random: Random): Float32Array[] {
  return Array.from({ length: options.isSmoke ? SMOKE_QUERIES : QUERIES }, () => {
    const row = random.integer(0, vectors.length / DIMENSIONS - 1);
    const near = vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
    const own = direction(random);
    return unit(near.map((value, i) => value + (own[i] ?? 0) * OWN_PART));
  });
}

function direction(random: Random): Float32Array {
  // The sum of four uniform numbers is close enough to a normal one to point everywhere alike.
  const draw = (): number => random.next() + random.next() + random.next() + random.next() - 2;
  return unit(Float32Array.from({ length: DIMENSIONS }, draw));
}

function unit(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
}
