/** How the nodes of a generated query are judged by a gold one. */

export interface LabelOptions {
  /**
   * Which containers (SELECT, FROM, WHERE, GROUP BY, HAVING, =, <>) are forgiven: `literal`, the published wording: those
   * with an error below; `counterpart`: those opposite one of their kind.
   */
  readonly mode: 'literal' | 'counterpart';
  /** The pass over all nodes of the gold that rescues nodes with an equal anywhere; off for the ablation. */
  readonly globalPass: boolean;
  /**
   * `published`: equality as the paper words it. `tolerant`: INNER JOIN is JOIN, chains of AND and OR and inner joins
   * are sets, names resolve by scope, and COUNT(*) is COUNT(key) where the key is never null.
   */
  readonly equality: 'published' | 'tolerant';
  /** Also forgives functions, comparisons, AND, OR, IN, BETWEEN, ORDER BY and joins that stand opposite one of their kind. */
  readonly extendedContainers: boolean;
}
