/** Whether a repaired query answers its question: by running it and the gold where there are rows. */
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { hasTopLevelOrder } from '../../src/lab/corpus/read-spider.ts';
import { type Gold, runGold } from '../../src/lab/evaluation/comparators/gold.ts';
import { runQuery } from '../../src/lab/evaluation/comparators/run-query.ts';
import type { PredictedQuestion } from '../../src/lab/uncertainty/data/prediction-set.ts';

const LIMITS = { rows: 20_000, bytes: 20_000_000, timeoutMs: 5_000 };

export class Judge {
  readonly #policy: 'spider' | 'bird';
  readonly #databases = new Map<string, Database>();
  readonly #golds = new Map<string, Gold | undefined>();

  constructor(policy: 'spider' | 'bird') {
    this.#policy = policy;
  }

  /** Undefined where the gold gives no result. */
  async isRight(sql: string, question: PredictedQuestion, databaseUrl: string): Promise<boolean | undefined> {
    const database =
      this.#databases.get(databaseUrl) ?? guarded(await connect(databaseUrl), { kind: 'own-queries' });
    this.#databases.set(databaseUrl, database);
    const setting = { database, limits: LIMITS, signal: new AbortController().signal };
    if (!this.#golds.has(question.id)) {
      const policy = this.#policy;
      const orderMatters = policy === 'spider' && hasTopLevelOrder(question.goldSql);
      const gold = await runGold(
        { kind: 'answered', sql: question.goldSql, orderMatters },
        { ...setting, policy },
      );
      this.#golds.set(question.id, gold.ok ? gold : undefined);
    }
    const gold = this.#golds.get(question.id);
    if (gold === undefined) return undefined;
    const ran = await runQuery(sql, setting);
    return ran.ok && gold.judge(ran.result) === 'equal';
  }

  async close(): Promise<void> {
    for (const database of this.#databases.values()) await database.close();
  }
}
