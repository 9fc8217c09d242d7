import { CandorError } from '../../errors.ts';
import { type DecisionRecord, parseRecord, type RecordPage } from '../../record.ts';
import type { RecordStore, WantedRecords } from '../../record-store.ts';
import type { ServerState } from './server-state.ts';

/** Records of one workspace in the state that servers share: what one has answered, each of them can explain. */
export class SharedRecords implements RecordStore {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  async write(record: DecisionRecord): Promise<void> {
    await this.#state.run(
      'INSERT INTO candor.records (workspace, id, reader, kind, record) VALUES ($1, $2, $3, $4, $5)',
      [this.#workspace, record.id, record.reader ?? null, record.kind, JSON.stringify(record)],
    );
  }

  async read(id: string): Promise<DecisionRecord> {
    const whole = await this.#state.run(
      'SELECT id, record FROM candor.records WHERE workspace = $1 AND id = $2',
      [this.#workspace, id],
    );
    const [row, second] = whole.length > 0 || !/^[\w-]+$/.test(id) ? whole : await this.#readByPart(id);
    if (row === undefined) throw new CandorError('record.not-found', `There is no record “${id}”.`);
    if (second !== undefined)
      throw new CandorError('record.not-found', `“${id}” fits several records; give more of the id.`);
    return parseRecord(String(row.record), String(row.id));
  }

  async page({ most, before, reader, kind }: WantedRecords): Promise<RecordPage> {
    const rows = await this.#state.run(
      `SELECT id, record FROM candor.records
       WHERE workspace = $1 AND (CAST($2 AS text) IS NULL OR id < $2) AND (CAST($3 AS text) IS NULL OR reader = $3)
         AND (CAST($4 AS text) IS NULL OR kind = $4)
       ORDER BY id DESC LIMIT $5`,
      [this.#workspace, before ?? null, reader ?? null, kind ?? null, most + 1],
    );
    const shown = rows.slice(0, most);
    const last = shown.at(-1);
    const records = shown.map((row) => parseRecord(String(row.record), String(row.id)));
    return { records, ...(rows.length > most && last !== undefined && { next: String(last.id) }) };
  }

  #readByPart(id: string) {
    return this.#state.run(
      `SELECT id, record FROM candor.records
       WHERE workspace = $1 AND (starts_with(id, $2) OR right(id, length($2) + 1) = '-' || $2) LIMIT 2`,
      [this.#workspace, id],
    );
  }
}
