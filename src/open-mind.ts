/** A language model at work on one question: its roles, under one ledger and one budget. */
import type { Disclosure } from './answer.ts';
import { type LanguageModel, TokenLedger } from './model/index.ts';
import {
  disclosing,
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
  /** What it was told so far, in order. */
  readonly sent: readonly Disclosure[];
  readonly writer: WriteReasoner;
  readonly linker: LinkReasoner;
  readonly normaliser: NormaliseReasoner;
}

export function openMind({ answers, reflects }: SessionModels): Mind {
  const { id, host = null, contextWindow } = answers;
  const sent: Disclosure[] = [];
  const noted = (model: LanguageModel): LanguageModel => disclosing(model, (call) => sent.push(call));
  const told = noted(answers);
  return {
    ...{ id, host, contextWindow },
    ledger: new TokenLedger(),
    sent,
    writer: writeByModel(told, {}, reflects === undefined ? {} : { reflector: noted(reflects) }),
    linker: modelReasoner(told),
    normaliser: normaliseByModel(told),
  };
}
