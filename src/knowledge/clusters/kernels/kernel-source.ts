/**
 * The loops that clustering spends its time in, as WebAssembly: four numbers of single precision at once, and the same
 * result on every machine. Dense matrices lie in panels of 16 columns: a row of a panel is four vectors, 64 bytes.
 */
const VECTORS = [0, 1, 2, 3] as const;
/** One text for each of the four vectors of a row. */
const each = (text: (vector: number, offset: string) => string): string =>
  VECTORS.map((vector) => text(vector, `offset=${vector * 16}`)).join('\n');
const locals = (...names: readonly string[]): string =>
  names.map((name) => each((vector) => `(local $${name}${vector} v128)`)).join('\n');

/** tanh by a quotient of polynomials, right to some ten-millionths. Source: Eigen, generic_fast_tanh_float. */
const ODD = [
  -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-8,
  1.48572235717979e-5, 6.37261928875436e-4, 4.89352455891786e-3,
];
const EVEN = [1.19825839466702e-6, 1.18534705686654e-4, 2.268434632439e-3, 4.89352518554385e-3];
const polynomial = (coefficients: readonly number[]): string =>
  coefficients
    .slice(1)
    .reduce(
      (sum, factor) => `(f32x4.add (f32x4.mul ${sum} (local.get $square)) (f32x4.const ${factor}))`,
      `(f32x4.const ${coefficients[0]})`,
    );

const BEND = `
(func $bend (param $x v128) (result v128) (local $square v128)
  (local.set $x (f32x4.max (f32x4.min (local.get $x) (f32x4.const 7.9)) (f32x4.const -7.9)))
  (local.set $square (f32x4.mul (local.get $x) (local.get $x)))
  (f32x4.div (f32x4.mul (local.get $x) ${polynomial(ODD)}) ${polynomial(EVEN)}))`;

/**
 * Rows $from to before $to of a sparse matrix, each times the panel $part less $centre. What comes of a row is kept in
 * $out, or bent and added back to the columns it came from in $gathered, where these are not 0; $sums takes the sum of
 * the rows and, where they are bent, of the slopes of tanh.
 */
const WALK = `
(func $walk (param $starts i32) (param $columns i32) (param $values i32) (param $from i32) (param $to i32)
  (param $part i32) (param $centre i32) (param $out i32) (param $gathered i32) (param $sums i32) (param $bends i32)
  (local $cell i32) (local $first i32) (local $end i32) (local $at i32) (local $value v128)
  ${locals('row', 'sum', 'slope', 'centre')}
  ${each((v, offset) => `(local.set $centre${v} (v128.load ${offset} (local.get $centre)))`)}
  (block $done (loop $rows
    (br_if $done (i32.eqz (i32.lt_u (local.get $from) (local.get $to))))
    (local.set $at (i32.add (local.get $starts) (i32.shl (local.get $from) (i32.const 2))))
    (local.set $first (i32.shl (i32.load (local.get $at)) (i32.const 2)))
    (local.set $end (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2)))
    ${each((v) => `(local.set $row${v} (f32x4.neg (local.get $centre${v})))`)}
    (local.set $cell (local.get $first))
    (block $unmixed (loop $cells
      (br_if $unmixed (i32.eqz (i32.lt_u (local.get $cell) (local.get $end))))
      (local.set $value (v128.load32_splat (i32.add (local.get $values) (local.get $cell))))
      (local.set $at (i32.add (local.get $part)
        (i32.shl (i32.load (i32.add (local.get $columns) (local.get $cell))) (i32.const 6))))
      ${each((v, offset) => `(local.set $row${v} (f32x4.add (local.get $row${v}) (f32x4.mul (local.get $value) (v128.load ${offset} (local.get $at)))))`)}
      (local.set $cell (i32.add (local.get $cell) (i32.const 4)))
      (br_if $cells (i32.const 1))))
    (if (local.get $bends)
      ${each(
        (v) => `(local.set $row${v} (call $bend (local.get $row${v})))
      (local.set $slope${v} (f32x4.add (local.get $slope${v})
        (f32x4.sub (f32x4.const 1) (f32x4.mul (local.get $row${v}) (local.get $row${v})))))`,
      )})
    ${each((v) => `(local.set $sum${v} (f32x4.add (local.get $sum${v}) (local.get $row${v})))`)}
    (if (local.get $out)
      ${each((v, offset) => `(v128.store ${offset} (i32.add (local.get $out) (i32.shl (local.get $from) (i32.const 6))) (local.get $row${v}))`)})
    (if (local.get $gathered)
      (local.set $cell (local.get $first))
      (block $added (loop $back
        (br_if $added (i32.eqz (i32.lt_u (local.get $cell) (local.get $end))))
        (local.set $value (v128.load32_splat (i32.add (local.get $values) (local.get $cell))))
        (local.set $at (i32.add (local.get $gathered)
          (i32.shl (i32.load (i32.add (local.get $columns) (local.get $cell))) (i32.const 6))))
        ${each((v, offset) => `(v128.store ${offset} (local.get $at) (f32x4.add (v128.load ${offset} (local.get $at)) (f32x4.mul (local.get $value) (local.get $row${v}))))`)}
        (local.set $cell (i32.add (local.get $cell) (i32.const 4)))
        (br_if $back (i32.const 1)))))
    (local.set $from (i32.add (local.get $from) (i32.const 1)))
    (br_if $rows (i32.const 1))))
  (if (local.get $sums)
    ${each((v, offset) => `(v128.store ${offset} (local.get $sums) (local.get $sum${v}))`)}
    ${each((v) => `(v128.store offset=${64 + v * 16} (local.get $sums) (local.get $slope${v}))`)}))`;

/** Takes $factors[row] · $row from every row of a panel: what centring the columns leaves to be done. */
const LESS = `
(func $less (param $panel i32) (param $factors i32) (param $rows i32) (param $row i32) (local $factor v128)
  ${locals('part')}
  ${each((v, offset) => `(local.set $part${v} (v128.load ${offset} (local.get $row)))`)}
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $rows)))
    (local.set $factor (v128.load32_splat (local.get $factors)))
    ${each((v, offset) => `(v128.store ${offset} (local.get $panel) (f32x4.sub (v128.load ${offset} (local.get $panel)) (f32x4.mul (local.get $factor) (local.get $part${v}))))`)}
    (local.set $panel (i32.add (local.get $panel) (i32.const 64)))
    (local.set $factors (i32.add (local.get $factors) (i32.const 4)))
    (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
    (br_if $next (i32.const 1)))))`;

/** Adds to $rows rows (an even number) of a panel the sum over $terms of one number of $a times one row of $b. */
const TILE = `
(func $tile (param $out i32) (param $a i32) (param $rowStride i32) (param $termStride i32) (param $b i32)
  (param $rows i32) (param $terms i32) (local $term i32) (local $left i32) (local $right i32) (local $factor v128)
  (local $other v128)
  ${locals('one', 'two', 'row')}
  (block $done (loop $pairs
    (br_if $done (i32.eqz (local.get $rows)))
    ${each((v, offset) => `(local.set $one${v} (v128.load ${offset} (local.get $out)))`)}
    ${each((v) => `(local.set $two${v} (v128.load offset=${64 + v * 16} (local.get $out)))`)}
    (local.set $term (local.get $terms))
    (local.set $left (local.get $a))
    (local.set $right (local.get $b))
    (block $summed (loop $each
      (br_if $summed (i32.eqz (local.get $term)))
      (local.set $factor (v128.load32_splat (local.get $left)))
      (local.set $other (v128.load32_splat (i32.add (local.get $left) (local.get $rowStride))))
      ${each(
        (v, offset) => `(local.set $row${v} (v128.load ${offset} (local.get $right)))
      (local.set $one${v} (f32x4.add (local.get $one${v}) (f32x4.mul (local.get $factor) (local.get $row${v}))))
      (local.set $two${v} (f32x4.add (local.get $two${v}) (f32x4.mul (local.get $other) (local.get $row${v}))))`,
      )}
      (local.set $left (i32.add (local.get $left) (local.get $termStride)))
      (local.set $right (i32.add (local.get $right) (i32.const 64)))
      (local.set $term (i32.sub (local.get $term) (i32.const 1)))
      (br_if $each (i32.const 1))))
    ${each((v, offset) => `(v128.store ${offset} (local.get $out) (local.get $one${v}))`)}
    ${each((v) => `(v128.store offset=${64 + v * 16} (local.get $out) (local.get $two${v}))`)}
    (local.set $out (i32.add (local.get $out) (i32.const 128)))
    (local.set $a (i32.add (local.get $a) (i32.shl (local.get $rowStride) (i32.const 1))))
    (local.set $rows (i32.sub (local.get $rows) (i32.const 2)))
    (br_if $pairs (i32.const 1)))))`;

/** Strides of what is added up with one panel of another matrix, and the panel that comes of it, in bytes and rows. */
interface Product {
  readonly name: string;
  /** Bytes of the panel that comes of it, cleared at first. */
  readonly outBytes: string;
  /** Where a chunk of rows and a panel of $a goes, and what it is multiplied with. */
  readonly out: string;
  readonly rowStride: number;
  readonly termStride: number;
  readonly b: string;
  readonly rows: string;
  readonly terms: string;
}

const ROWS_OFFSET = '(i32.shl (local.get $from) (i32.const 6))';
const PANEL_OFFSET = '(i32.shl (local.get $panel) (i32.const 10))';

/** $a has $panels panels of $height rows, $b is one panel. A few rows at a time: they stay near the processor. */
const product = ({ name, outBytes, out, rowStride, termStride, b, rows, terms }: Product): string => `
(func ${name} (param $out i32) (param $a i32) (param $height i32) (param $panels i32) (param $b i32)
  (local $from i32) (local $rows i32) (local $panel i32)
  (memory.fill (local.get $out) (i32.const 0) ${outBytes})
  (block $done (loop $chunks
    (br_if $done (i32.eqz (i32.lt_u (local.get $from) (local.get $height))))
    (local.set $rows (i32.const 256))
    (if (i32.lt_u (i32.sub (local.get $height) (local.get $from)) (i32.const 256))
      (local.set $rows (i32.sub (local.get $height) (local.get $from))))
    (local.set $panel (i32.const 0))
    (block $through (loop $all
      (br_if $through (i32.eqz (i32.lt_u (local.get $panel) (local.get $panels))))
      (call $tile
        (i32.add (local.get $out) ${out})
        (i32.add (local.get $a) (i32.shl
          (i32.add (i32.mul (local.get $panel) (local.get $height)) (local.get $from)) (i32.const 6)))
        (i32.const ${rowStride}) (i32.const ${termStride})
        (i32.add (local.get $b) ${b})
        ${rows} ${terms})
      (local.set $panel (i32.add (local.get $panel) (i32.const 1)))
      (br_if $all (i32.const 1))))
    (local.set $from (i32.add (local.get $from) (local.get $rows)))
    (br_if $chunks (i32.const 1)))))`;

/** One panel of a · b: $b has 16 · $panels rows. */
const TIMES = product({
  name: '$times',
  outBytes: '(i32.shl (local.get $height) (i32.const 6))',
  out: ROWS_OFFSET,
  rowStride: 64,
  termStride: 4,
  b: PANEL_OFFSET,
  rows: '(local.get $rows)',
  terms: '(i32.const 16)',
});

/** One panel of a' · b: $b has $height rows. */
const TRANSPOSED_TIMES = product({
  name: '$transposedTimes',
  outBytes: '(i32.shl (local.get $panels) (i32.const 10))',
  out: PANEL_OFFSET,
  rowStride: 4,
  termStride: 64,
  b: ROWS_OFFSET,
  rows: '(i32.const 16)',
  terms: '(local.get $rows)',
});

const CLEAR = `
(func $clear (param $at i32) (param $bytes i32)
  (memory.fill (local.get $at) (i32.const 0) (local.get $bytes)))`;

export const KERNEL_SOURCE = [BEND, WALK, LESS, CLEAR, TILE, TIMES, TRANSPOSED_TIMES].join('\n');
