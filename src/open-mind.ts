/** A language model at work on one question: its roles, under one ledger and one budget. */
import { TokenLedger } from './model/index.ts';
import {
  type LinkReasoner,
  modelReasoner,
  type NormaliseReasoner,
  normaliseByModel,
  type WriteReasoner,
  writeByModel,
} from './reasoning/index.ts';
import type { SessionModels } from './session.ts';

export interface Mind {
  readonly id: string;
  /** Who reads what is sent; null: it runs on this machine. */
  readonly host: string | null;
  readonly contextWindow: number | undefined;
  readonly ledger: TokenLedger;
  readonly writer: WriteReasoner;
  readonly linker: LinkReasoner;
  readonly normaliser: NormaliseReasoner;
}

export function openMind({ answers, reflects }: SessionModels): Mind {
  const { id, host = null, contextWindow } = answers;
  return {
    ...{ id, host, contextWindow },
    ledger: new TokenLedger(),
    writer: writeByModel(answers, {}, reflects === undefined ? {} : { reflector: reflects }),
    linker: modelReasoner(answers),
    normaliser: normaliseByModel(answers),
  };
}
