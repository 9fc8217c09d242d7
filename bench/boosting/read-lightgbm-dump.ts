import { z } from 'zod';
import { leafReference, type Tree, type TreeModel } from '../../src/boosting/tree-model.ts';

type DumpedNode = z.infer<typeof LEAF> | DumpedSplit;

interface DumpedSplit {
  readonly split_feature: number;
  readonly threshold: number;
  readonly decision_type: '<=';
  readonly default_left: boolean;
  /** `None`: a missing value is taken for 0. */
  readonly missing_type: 'None' | 'NaN';
  readonly internal_value: number;
  readonly left_child: DumpedNode;
  readonly right_child: DumpedNode;
}

const LEAF = z.object({ leaf_value: z.number() });
const SPLIT: z.ZodType<DumpedSplit> = z.object({
  split_feature: z.int(),
  threshold: z.number(),
  decision_type: z.literal('<='),
  default_left: z.boolean(),
  missing_type: z.enum(['None', 'NaN']),
  internal_value: z.number(),
  left_child: z.lazy(() => NODE),
  right_child: z.lazy(() => NODE),
});
const NODE: z.ZodType<DumpedNode> = z.union([SPLIT, LEAF]);
const DUMP = z.object({ tree_info: z.array(z.object({ tree_structure: NODE })) });

/** What LightGBM's `dump_model` gives, as a model of ours; its first tree holds the log-odds to start from. */
export function readLightgbmDump(dump: unknown, features: readonly string[]): TreeModel {
  const { tree_info: trees } = DUMP.parse(dump);
  return { features, base: 0, trees: trees.map(({ tree_structure: root }) => readTree(root)) };
}

function readTree(root: DumpedNode): Tree {
  const tree = {
    feature: [] as number[],
    threshold: [] as number[],
    missingLeft: [] as number[],
    left: [] as number[],
    right: [] as number[],
    value: [] as number[],
    leaf: [] as number[],
  };
  const add = (node: DumpedNode): number => {
    if ('leaf_value' in node) return leafReference(tree.leaf.push(node.leaf_value) - 1);
    const split = tree.feature.push(node.split_feature) - 1;
    tree.threshold.push(node.threshold);
    tree.missingLeft.push(Number(node.missing_type === 'NaN' ? node.default_left : node.threshold >= 0));
    tree.value.push(node.internal_value);
    tree.left[split] = add(node.left_child);
    tree.right[split] = add(node.right_child);
    return split;
  };
  add(root);
  return tree;
}
