/** A language model rates answers against the queries known to be right, by LinkedIn's rubric (section 8). */
import type { ModelSettings } from '../../config/index.ts';
import { toCandorError } from '../../errors.ts';
import { openSessionModel, TokenLedger } from '../../model/index.ts';
import { assistByModel } from '../../reasoning/llm/index.ts';
import type { AnswerVerdict } from '../../reasoning/roles/assist-reasoner.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';

interface RatedQuery {
  readonly question: string;
  /** Absent where none was given. */
  readonly sql: string | undefined;
  /** Every query known to be right, one at least. */
  readonly golds: readonly string[];
  readonly dialect: DialectName;
}

/** What a judge says, or the code of what kept it from it: a case has its other figures all the same. */
type Rating = ({ readonly by: string } & AnswerVerdict) | { readonly by: string; readonly failed: string };

export type RateQuery = (rated: RatedQuery, signal: AbortSignal) => Promise<Rating>;

export interface RubricJudge {
  readonly rate: RateQuery;
  close(): Promise<void>;
}

/** Whoever opens it closes it. Throws what `openSessionModel` throws. */
export async function openRubricJudge(settings: ModelSettings, root: string): Promise<RubricJudge> {
  const { reflector: _, calls: _calls, tokens: _tokens, ...own } = settings;
  const model = await openSessionModel({ ...own, packageDirectory: root });
  const assistant = assistByModel(model);
  const by = settings.name;
  return {
    rate: async ({ question, sql, golds, dialect }, signal) => {
      // By the rubric itself: to ask would cost a call.
      if (sql === undefined) return { by, score: 1, flags: [], because: 'no query was given' };
      const asked = { text: question, ledger: new TokenLedger(), signal };
      try {
        return { by, ...(await assistant.judgeAnswer(asked, { sql, golds, dialect })) };
      } catch (error) {
        signal.throwIfAborted();
        const { kind, code } = toCandorError(error);
        if (kind === 'bug') throw error;
        return { by, failed: code };
      }
    },
    close: async () => model.close?.(),
  };
}
