/** Expressions: operators by levels (Pratt), predicates, and what may follow an operand. */
import { as, type Draft } from './draft.ts';
import { type Infix, LEVEL } from './grammar.ts';
import { parseOperand } from './parse-operand.ts';
import { parsePredicate } from './parse-predicate.ts';
import type { Parser } from './rules.ts';

/** An expression whose operators all hold tighter than `level`, or as tight. */
export function parseExpression(parser: Parser, level: number = LEVEL.lowest): Draft {
  return parser.nested(() => parseInfix(parser, parsePrefix(parser), level));
}

/** Goes on after an operand that has been read. */
export function parseInfix(parser: Parser, first: Draft, level: number): Draft {
  let left = first;
  for (;;) {
    const infix = infixAt(parser);
    if (infix === undefined || infix.level < level) return left;
    const next =
      infix.form === 'binary' ? parseBinary(parser, left, infix) : parsePredicate(parser, left, infix);
    if (next === undefined) return left;
    left = next;
  }
}

function infixAt(parser: Parser): Infix | undefined {
  if (parser.key === '') return undefined;
  const listed = parser.grammar.infix.get(parser.key);
  return listed ?? (isNamedBySign(parser) ? SIGNED_INFIX : undefined);
}

/** In PostgreSQL any signs are an operator, which the guard looks up by name. */
const SIGNS = /^[-+*/<>=~!@#%^&|`?]+$/;
const SIGNED_INFIX: Infix = { form: 'binary', type: 'Operator', level: LEVEL.other };

function isNamedBySign({ grammar, key }: Parser): boolean {
  return grammar.ownOperators && SIGNS.test(key) && key !== '=>';
}

/** Types whose sign tells more than the type. */
const SIGNED: ReadonlySet<string> = new Set(['Operator', 'NEQ', 'EQ']);

function parseBinary(parser: Parser, left: Draft, { type, level }: Infix): Draft {
  const sign = parser.key;
  parser.advance();
  const isCompared = level === LEVEL.compare || parser.grammar.ownOperators;
  const right = isCompared ? parseCompared(parser, level) : parser.rules.expression(parser, level + 1);
  const flags = SIGNED.has(type) && sign !== '=' ? { operator: sign } : undefined;
  return parser.node(type, left.start, [as('this', left), as('expression', right)], undefined, flags);
}

const QUANTIFIERS: Readonly<Record<string, string>> = { ANY: 'Any', SOME: 'Any', ALL: 'All' };

/** The right side of a comparison may be `ANY (…)`, in PostgreSQL that of every operator. */
function parseCompared(parser: Parser, level: number): Draft {
  const quantifier = QUANTIFIERS[parser.key];
  if (quantifier === undefined || parser.ahead(1) !== '(') return parser.rules.expression(parser, level + 1);
  const { start } = parser;
  parser.advance();
  return parser.node(quantifier, start, [as('this', parser.rules.expression(parser, LEVEL.postfix))]);
}

const PREFIX: Readonly<Record<string, readonly [type: string, level: number]>> = {
  NOT: ['Not', LEVEL.not],
  '-': ['Neg', LEVEL.unary],
  '+': ['Pos', LEVEL.unary],
  '~': ['BitwiseNot', LEVEL.unary],
};

/** Signs before an operand that only some dialects have. */
const OTHER_PREFIX: ReadonlySet<string> = new Set(['!', '@', '|/', '||/']);

function parsePrefix(parser: Parser): Draft {
  const { start, key } = parser;
  const prefix = PREFIX[key];
  if (prefix !== undefined) {
    parser.advance();
    return parser.node(prefix[0], start, [as('this', parser.rules.expression(parser, prefix[1]))]);
  }
  // PostgreSQL reads `@ a + b` as `@ (a + b)`.
  if (isNamedBySign(parser) && key !== '*') {
    parser.advance();
    const operand = as('this', parser.rules.expression(parser, LEVEL.other + 1));
    return parser.node('UnaryOperator', start, [operand], undefined, { operator: key });
  }
  // Snowflake: `** list` stands for the items of the list.
  if (OTHER_PREFIX.has(key) || (key === '**' && parser.grammar.connectBy)) {
    parser.advance();
    const operand = as('this', parser.rules.expression(parser, LEVEL.unary));
    return parser.node('UnaryOperator', start, [operand], undefined, { operator: key });
  }
  return parseOperand(parser);
}
