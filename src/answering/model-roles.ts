/** A language model at work on one question: its roles, under one ledger and one budget. */
import type { Disclosure } from '../answer.ts';
import { CostCounter, type LanguageModel, startBudget, TokenLedger } from '../model/index.ts';
import type { SessionModels } from '../open-models.ts';
import {
  type AssistReasoner,
  assistByModel,
  disclosing,
  type LinkReasoner,
  modelReasoner,
  type NormaliseReasoner,
  normaliseByModel,
  type WriteReasoner,
  writeByModel,
} from '../reasoning/index.ts';

export interface ModelRoles {
  readonly id: string;
  /** Who reads what is sent; null: it runs on this machine. */
  readonly host: string | null;
  readonly contextWindow: number | undefined;
  readonly ledger: TokenLedger;
  /** What it was told so far, in order. */
  readonly sent: readonly Disclosure[];
  readonly cost: CostCounter;
  readonly writer: WriteReasoner;
  readonly linker: LinkReasoner;
  readonly normaliser: NormaliseReasoner;
  readonly assistant: AssistReasoner;
}

export function openModelRoles({ answers, reflects, budget }: SessionModels): ModelRoles {
  const { id, host = null, contextWindow } = answers;
  const sent: Disclosure[] = [];
  const cost = new CostCounter();
  const within = budget === undefined ? (model: LanguageModel) => model : startBudget(budget);
  const noted = (model: LanguageModel): LanguageModel =>
    disclosing(within(cost.counted(model)), (call) => sent.push(call));
  const told = noted(answers);
  return {
    ...{ id, host, contextWindow },
    ledger: new TokenLedger(),
    sent,
    cost,
    writer: writeByModel(told, {}, reflects === undefined ? {} : { reflector: noted(reflects) }),
    linker: modelReasoner(told),
    normaliser: normaliseByModel(told),
    assistant: assistByModel(told),
  };
}
