/** Panels of set-ups, by rules that were written before they were measured. */
import { compareText } from '../../src/lib/index.ts';
import type { VotingSet } from './read-setups.ts';

export interface Panel {
  readonly name: string;
  /** By name. */
  readonly setups: readonly string[];
}

/** Set-ups that choose, vote or merge among queries of their own. */
const CHOOSES = /csc-sql|alpha-sql|deepeye|:vote|gsr|step_3|final_sql/i;

/**
 * `once` are set-ups that write one query for a question, as a model does that Candor asks; `any` are all. Of each base
 * model the best on the tuning questions, the best models first; of one model its three best; one prompt of fourteen models; all.
 */
export function makePanels({ questions, setups }: VotingSet): readonly Panel[] {
  const tuned = questions.filter(({ isTuned }) => isTuned);
  const rightOf = new Map(
    setups.map((name) => [name, tuned.filter(({ sqlOf }) => sqlOf.get(name)?.isRight === true).length]),
  );
  const ranked = setups.toSorted(
    (a, b) => (rightOf.get(b) ?? 0) - (rightOf.get(a) ?? 0) || compareText(a, b),
  );
  const once = ranked.filter((name) => !CHOOSES.test(name));
  const [onceByModel, anyByModel] = [groupByModel(once), groupByModel(ranked)];
  const bestOf = (byModel: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    [...byModel.values()].flatMap(([best]) => best ?? []);
  const panels = [
    ...[3, 5, 7].map((count) => ({
      name: `once, ${count} models`,
      setups: bestOf(onceByModel).slice(0, count),
    })),
    { name: 'once, every model', setups: bestOf(onceByModel) },
    {
      name: 'once, one prompt',
      setups: once.filter((name) => name.startsWith('artessay:Base/VanillaLinker|')),
    },
    { name: 'once, all', setups: once },
    ...[...onceByModel].flatMap(([model, names]) =>
      names.length < 3 ? [] : [{ name: `once, 3 of ${model}`, setups: names.slice(0, 3) }],
    ),
    ...[3, 5, 7].map((count) => ({
      name: `any, ${count} models`,
      setups: bestOf(anyByModel).slice(0, count),
    })),
    { name: 'any, all', setups: ranked },
  ];
  return panels.map((panel) => ({ ...panel, setups: panel.setups.toSorted(compareText) }));
}

/** In the order of the best of each. */
function groupByModel(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const model = bareModel(name);
    groups.set(model, [...(groups.get(model) ?? []), name]);
  }
  return groups;
}

/** `…|Qwen/Qwen2.5-Coder-32B-Instruct`, `…|qwen2.5-coder-32b(?)` → `qwen2.5-coder-32b`. */
function bareModel(name: string): string {
  const model = name.slice(name.indexOf('|') + 1).toLowerCase();
  return model.slice(model.lastIndexOf('/') + 1).replace(/\(\?\)$|-instruct$/g, '');
}
