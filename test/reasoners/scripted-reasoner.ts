/** A reasoner that says what its script says, and notes what it was shown. */
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  RefineCall,
  RefineView,
  SchemaView,
} from '../../src/reasoning/roles/link-reasoner.ts';

export interface LinkScript {
  readonly hypotheses: readonly LinkHypothesis[] | Error;
  /** By hypothesis id: tables as written, once per view that shows any. An error fails the path. */
  readonly tables: Readonly<Record<string, readonly string[] | Error>>;
  /** By hypothesis id: `table.column` as written, split at the last dot; a name with `: why` behind gives a reason. */
  readonly fields: Readonly<Record<string, readonly string[] | Error>>;
  /** The calls of each turn, or what makes them; none when the script ends. */
  readonly turns?: readonly (readonly RefineCall[] | Error)[] | ((view: RefineView) => readonly RefineCall[]);
  /** Called before each answer. */
  readonly before?: (role: string) => void;
}

export interface ScriptedReasoner extends LinkReasoner {
  readonly seen: {
    readonly role: string;
    readonly hypothesis?: string;
    readonly view: SchemaView | RefineView;
  }[];
}

/** Every call costs 100 tokens of prompt and 10 of reply, written into the ledger of the question. */
export function scriptedReasoner(script: LinkScript): ScriptedReasoner {
  const seen: ScriptedReasoner['seen'] = [];
  const note = (
    question: LinkQuestion,
    role: string,
    view: SchemaView | RefineView,
    hypothesis?: string,
  ): void => {
    script.before?.(role);
    seen.push({ role, view, ...(hypothesis === undefined ? {} : { hypothesis }) });
    question.ledger.add(role, { promptTokens: 100, completionTokens: 10 });
  };
  return {
    kind: 'model',
    seen,
    hypothesise: async (question, view) => {
      note(question, 'hypothesise', view);
      return orThrow(script.hypotheses);
    },
    selectTables: async (question, { id }, view) => {
      note(question, 'select tables', view, id);
      return orThrow(script.tables[id] ?? []).map((written) => withWhy(written));
    },
    selectFields: async (question, { id }, view) => {
      note(question, 'select fields', view, id);
      return orThrow(script.fields[id] ?? []).map((written) => {
        const { name, why } = withWhy(written);
        const dot = name.lastIndexOf('.');
        return { table: name.slice(0, Math.max(0, dot)), column: name.slice(dot + 1), why };
      });
    },
    refine: async (question, view) => {
      note(question, 'refine', view);
      const { turns = [] } = script;
      return typeof turns === 'function' ? turns(view) : orThrow(turns[view.turn - 1] ?? []);
    },
  };
}

function withWhy(written: string): { readonly name: string; readonly why?: string } {
  const [name = '', why] = written.split(': ');
  return why === undefined ? { name } : { name, why };
}

function orThrow<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value;
  return value;
}

/** A hypothesis over these entities; joins as `a.x = b.y`. */
export function hypothesis(
  id: string,
  entities: readonly string[],
  more: Partial<LinkHypothesis> = {},
): LinkHypothesis {
  return {
    id,
    summary: `reading ${id}`,
    differsBy: [],
    entities,
    filters: [],
    joins: [],
    aggregations: [],
    time: '',
    ambiguous: [],
    ...more,
  };
}

/** A tool call as a model makes it. */
export function call(tool: string, args: unknown): RefineCall {
  return { id: `${tool}-call`, tool, arguments: args };
}
