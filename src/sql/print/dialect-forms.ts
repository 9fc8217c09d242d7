/** How the dialects write the same thing, as data. What they cannot write at all is the transpiler's matter. */
import type { DialectName } from '../dialects/dialect.ts';
import type { NodeType } from '../tree/node-types.ts';

export interface Forms {
  /** UNION must say DISTINCT when it does not say ALL. */
  readonly saysDistinct: boolean;
  /** Before the brackets of an array: `ARRAY[1, 2]` or `[1, 2]`. */
  readonly arrayWord: '' | 'ARRAY';
  /** `INT[]`, `ARRAY<INT64>` or `ARRAY(INTEGER)`. */
  readonly nestedType: 'marks' | 'angles' | 'brackets';
  /** The word behind a star that leaves columns out. */
  readonly starWithout: 'EXCEPT' | 'EXCLUDE';
  /** Operators whose sign differs from the common one, by type of node. */
  readonly signs: Readonly<Partial<Record<NodeType, string>>>;
}

const BASE: Forms = {
  saysDistinct: false,
  arrayWord: 'ARRAY',
  nestedType: 'brackets',
  starWithout: 'EXCLUDE',
  signs: {},
};

export const FORMS: Readonly<Record<DialectName, Forms>> = {
  sqlite: { ...BASE, signs: { RegexpLike: 'REGEXP' } },
  duckdb: { ...BASE, arrayWord: '', nestedType: 'marks' },
  postgres: { ...BASE, nestedType: 'marks' },
  mysql: {
    ...BASE,
    signs: { RegexpLike: 'REGEXP', BitwiseXor: '^', IntDiv: 'DIV', NullSafeEQ: '<=>' },
  },
  trino: BASE,
  snowflake: { ...BASE, arrayWord: '', signs: { RegexpLike: 'RLIKE' } },
  bigquery: {
    ...BASE,
    saysDistinct: true,
    arrayWord: '',
    nestedType: 'angles',
    starWithout: 'EXCEPT',
    signs: { BitwiseXor: '^' },
  },
};

/** The sign of each binary operator where neither node nor dialect says otherwise. */
export const SIGNS: Readonly<Partial<Record<NodeType, string>>> = {
  And: 'AND',
  Or: 'OR',
  Xor: 'XOR',
  EQ: '=',
  NEQ: '<>',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  NullSafeEQ: 'IS NOT DISTINCT FROM',
  NullSafeNEQ: 'IS DISTINCT FROM',
  Is: 'IS',
  Like: 'LIKE',
  ILike: 'ILIKE',
  Glob: 'GLOB',
  SimilarTo: 'SIMILAR TO',
  RegexpLike: '~',
  RegexpILike: '~*',
  Operator: '?',
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  IntDiv: '//',
  Mod: '%',
  Pow: '^',
  DPipe: '||',
  BitwiseAnd: '&',
  BitwiseOr: '|',
  BitwiseXor: '#',
  BitwiseLeftShift: '<<',
  BitwiseRightShift: '>>',
  JSONExtract: '->',
  JSONExtractScalar: '->>',
};
