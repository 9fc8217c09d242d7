/** A language model at work on one question: its roles, under one ledger and one budget. */
import type { Disclosure } from '../../answer.ts';
import { CostCounter, type LanguageModel, modelFacts, startBudget, TokenLedger } from '../../model/index.ts';
import { assistByModel, modelReasoner, normaliseByModel, writeByModel } from '../../reasoning/llm/index.ts';
import { disclosing } from '../../reasoning/privacy/index.ts';
import type { AssistReasoner } from '../../reasoning/roles/assist-reasoner.ts';
import type { LinkReasoner } from '../../reasoning/roles/link-reasoner.ts';
import type { NormaliseReasoner } from '../../reasoning/roles/normalise-reasoner.ts';
import type { WriteReasoner } from '../../reasoning/roles/write-reasoner.ts';
import type { SessionModels } from '../../session/index.ts';

export interface ModelRoles {
  readonly id: string;
  /** Who reads what is sent; null: it runs on this machine. */
  readonly host: string | null;
  readonly contextWindow: number | undefined;
  readonly ledger: TokenLedger;
  /** What it was told so far, in order. */
  readonly sent: readonly Disclosure[];
  readonly cost: CostCounter;
  /** What its service turned out not to take, in words. */
  readonly leftOut: ReadonlySet<string>;
  readonly writer: WriteReasoner;
  readonly linker: LinkReasoner;
  readonly normaliser: NormaliseReasoner;
  readonly assistant: AssistReasoner;
}

export function openModelRoles({ answers, reflects, budget }: SessionModels): ModelRoles {
  const { id, host = null, contextWindow } = answers;
  const sent: Disclosure[] = [];
  const cost = new CostCounter();
  const leftOut = new Set<string>();
  const within = budget === undefined ? (model: LanguageModel) => model : startBudget(budget);
  const noted = (model: LanguageModel): LanguageModel =>
    disclosing(hearing(within(cost.counted(model)), leftOut), (call) => sent.push(call));
  const told = noted(answers);
  return {
    ...{ id, host, contextWindow },
    ledger: new TokenLedger(),
    sent,
    cost,
    leftOut,
    writer: writeByModel(told, {}, reflects === undefined ? {} : { reflector: noted(reflects) }),
    linker: modelReasoner(told),
    normaliser: normaliseByModel(told),
    assistant: assistByModel(told),
  };
}

/** The model, with what its service turned out not to take put into a set. */
function hearing(model: LanguageModel, leftOut: Set<string>): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const reply = await model.chat(request);
      for (const said of reply.leftOut ?? []) leftOut.add(said);
      return reply;
    },
  };
}
