/** The thread that `analyse-aside.ts` starts: analyses one long statement after the other, until it is ended. */
import { parentPort } from 'node:worker_threads';
import { CandorError, toCandorError } from '../../errors.ts';
import type { VisibleCatalog, VisibleTable } from './access-policy.ts';
import { analyseStatement } from './analyse-statement.ts';
import type { FromAnalyst, ToAnalyst } from './analysis-protocol.ts';
import type { GuardOptions } from './create-gate.ts';
import { createGate, type Gate } from './create-gate.ts';

const catalogs = new Map<number, { tables: VisibleTable[]; rest: Readonly<Record<string, unknown>> }>();
type GateToOpen = Extract<ToAnalyst, { kind: 'gate' }>;
const gates = new Map<string, { readonly given: GateToOpen; open?: Gate }>();

parentPort?.on('message', (message: ToAnalyst) => {
  if (message.kind === 'analyse') post(answer(message));
  else learn(message);
});
post({ kind: 'ready' });

function learn(message: Exclude<ToAnalyst, { kind: 'analyse' }>): void {
  switch (message.kind) {
    case 'catalog': {
      const known = catalogs.get(message.catalog);
      if (known === undefined)
        catalogs.set(message.catalog, { tables: [...message.tables], rest: message.rest ?? {} });
      else known.tables.push(...message.tables);
      return;
    }
    case 'gate':
      gates.set(message.gate, { given: message });
      return;
    case 'forget':
      if (message.gate !== undefined) gates.delete(message.gate);
      if (message.catalog !== undefined) catalogs.delete(message.catalog);
  }
}

function openGate({ catalog, options, dialect }: GateToOpen): Gate {
  if (options.kind === 'own-queries') return createGate(options, dialect);
  const known = catalog === undefined ? undefined : catalogs.get(catalog);
  if (known === undefined) throw new CandorError('internal.bug', 'a gate came before its catalog');
  const { tables, rest } = known;
  const whole: VisibleCatalog = { ...rest, tables };
  const given: GuardOptions = { ...options, catalog: whole };
  return createGate(given, dialect);
}

function answer({ gate: id, sql, own }: Extract<ToAnalyst, { kind: 'analyse' }>): FromAnalyst {
  try {
    const known = gates.get(id);
    if (known === undefined) throw new CandorError('internal.bug', 'a statement came before its gate');
    known.open ??= openGate(known.given);
    return {
      kind: 'analysed',
      ...analyseStatement(sql, { gate: known.open, dialect: known.given.dialect, own }),
    };
  } catch (error) {
    const { code, message, data } = toCandorError(error);
    return { kind: 'refused', code, message, data };
  }
}

function post(message: FromAnalyst): void {
  parentPort?.postMessage(message);
}
