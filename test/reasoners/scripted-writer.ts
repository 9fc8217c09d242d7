/** A writer that says what its script says, and notes what it was shown. */
import type {
  Draw,
  NotWritten,
  Reflection,
  ResearchCall,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
  WrittenQuery,
} from '../../src/reasoning/roles/write-reasoner.ts';

/** What one call gives: SQL alone, the whole of it, or a failure to throw. */
export type ScriptedQuery = string | WrittenQuery | Error;

/** Replies by role, each list in the order of its calls; a call beyond its list was not expected. */
export interface WriteScript {
  /** By the index of the draw, over and over for every question; or what makes them. */
  readonly write?:
    | readonly (ScriptedQuery | NotWritten)[]
    | ((question: WriteQuestion, draw: Draw) => ScriptedQuery | NotWritten);
  readonly fix?: readonly ScriptedQuery[];
  readonly revise?: readonly ScriptedQuery[];
  /** The calls of each turn; none when the script ends. */
  readonly research?: readonly (readonly ResearchCall[] | Error)[];
  readonly reflect?: readonly (Reflection | Error)[];
  readonly tests?: readonly string[] | Error;
  /** Whether this SQL passes this test. */
  readonly passes?: (sql: string, test: string) => boolean;
  /** Called before each answer. */
  readonly before?: (role: string) => void;
}

export interface SeenCall {
  readonly role: string;
  readonly question: WriteQuestion;
  /** What was given beside the question: the draw, the broken or odd query, the view, the candidates. */
  readonly given?: unknown;
}

export interface ScriptedWriter extends WriteReasoner {
  readonly seen: readonly SeenCall[];
}

/** Every call costs 100 tokens of prompt and 10 of reply, written into the ledger of the question. */
export function scriptedWriter(script: WriteScript): ScriptedWriter {
  const seen: SeenCall[] = [];
  const note = (role: string, question: WriteQuestion, given?: unknown): number => {
    script.before?.(role);
    const earlier = seen.filter((call) => call.role === role).length;
    seen.push({ role, question, ...(given === undefined ? {} : { given }) });
    question.ledger.add(role, { promptTokens: 100, completionTokens: 10 });
    return earlier;
  };
  return {
    kind: 'model',
    seen,
    write: async (question, draw) => {
      note('write', question, draw);
      const { write = [] } = script;
      const reply =
        typeof write === 'function' ? write(question, draw) : expected(write[draw.index], 'write');
      return typeof reply === 'object' && 'missing' in reply ? reply : written(reply);
    },
    fix: async (question, broken) => written(expected(script.fix?.[note('fix', question, broken)], 'fix')),
    revise: async (question, odd) =>
      written(expected(script.revise?.[note('revise', question, odd)], 'revise')),
    research: async (question, view: ResearchView) =>
      orThrow(script.research?.[note('research', question, view)] ?? []),
    reflect: async (question, view) =>
      orThrow(expected(script.reflect?.[note('reflect', question, view)], 'reflect')),
    writeTests: async (question) => {
      note('write tests', question);
      return orThrow(expected(script.tests, 'write tests'));
    },
    judgeTests: async (question, candidates, tests) => {
      note('judge tests', question, candidates);
      const passes = expected(script.passes, 'judge tests');
      return candidates.map(({ sql }) => tests.map((test) => passes(sql, test)));
    },
  };
}

function written(reply: ScriptedQuery): WrittenQuery {
  if (typeof reply !== 'string') return orThrow(reply);
  return { sql: reply, explanation: '', assumptions: [], tables: [], columns: [] };
}

function expected<Value>(value: Value | undefined, role: string): Value {
  if (value === undefined) throw new Error(`a call of ${role} was not expected`);
  return value;
}

function orThrow<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value;
  return value;
}
