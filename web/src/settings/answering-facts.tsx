import type { Settings } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FactList } from './fact-list.tsx';

/** Who answers, and how sure and how large an answer is. */
export function AnsweringFacts({ settings: { answering } }: { readonly settings: Settings }) {
  const { desk, modes } = useMessages();
  const { model, minProbability, targetRisk, rows, timeoutMs } = answering;
  return (
    <FactList
      title={desk.answering}
      facts={[
        [
          desk.answeredBy,
          model === undefined ? (
            desk.builtIn
          ) : (
            <>
              {desk.byModel(model.name)}. {model.isPrivate ? desk.isPrivate : desk.isNotPrivate}
            </>
          ),
        ],
        [desk.effort, model === undefined ? desk.effortNone : desk.effortOf(modes[model.mode])],
        [desk.minProbability, desk.sure(percentOf(minProbability))],
        [desk.targetRisk, targetRisk === undefined ? desk.targetNone : desk.targetOf(percentOf(targetRisk))],
        [desk.mostRows, desk.atMost(rows)],
        [desk.queryTime, desk.secondsAtMost(timeoutMs / 1_000)],
      ]}
    />
  );
}

function percentOf(share: number): number {
  return Math.round(share * 1_000) / 10;
}
