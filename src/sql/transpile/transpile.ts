/** A statement of one dialect as a statement of another, and what did not come over. */
import type { DialectName } from '../dialect.ts';
import { parse } from '../parser/parse.ts';
import { contextOf, printNode } from '../print/print-node.ts';
import { printTree } from '../print/print-tree.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { findBareColumns } from './bare-columns.ts';
import type { Diagnostic, DiagnosticRule } from './diagnostic.ts';
import { reportStatement } from './report-statement.ts';
import { translateNode } from './translate-node.ts';
import type { Translation, TranspileOptions } from './translation.ts';
import { findUnrecorded } from './unrecorded-words.ts';

export interface Transpiled {
  readonly sql: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * `transpile(tree, 'duckdb')` of `SELECT IFNULL(a, 0) FROM t LIMIT 5, 10` gives
 * `SELECT COALESCE(a, 0) FROM t LIMIT 10 OFFSET 5`. Without diagnostics the result means the same, up to what only
 * the database knows: collations, types of columns, time zones. With `unsupported` among them it must not be run.
 */
export function transpile(tree: SqlTree, to: DialectName, options: TranspileOptions = {}): Transpiled {
  if (tree.dialect === to) return { sql: printTree(tree), diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const translation = createTranslation({ tree, to, options, diagnostics });
  if (tree.root.type === 'Command') {
    translation.unsupported('syntax', tree.root, 'only queries are translated');
    return { sql: printTree(tree), diagnostics };
  }
  reportStatement(translation);
  const sql = printNode(translation.translate(tree.root), contextOf(to));
  const again = parse(sql, to);
  if (!again.ok) {
    translation.unsupported('result', tree.root, `the result is no ${to}: ${again.error.message}`);
  }
  return { sql, diagnostics };
}

interface Call {
  readonly tree: SqlTree;
  readonly to: DialectName;
  readonly options: TranspileOptions;
  /** Filled while the statement is translated. */
  readonly diagnostics: Diagnostic[];
}

function createTranslation({ tree, to, options, diagnostics }: Call): Translation {
  const reporterOf =
    (kind: Diagnostic['kind']) =>
    (rule: DiagnosticRule, node: SqlNode, message: string): void => {
      if (diagnostics.some((known) => known.message === message)) return;
      diagnostics.push({ kind, rule, node, span: { start: node.start, end: node.end }, message });
    };
  const translation: Translation = {
    tree,
    from: tree.dialect,
    to,
    options,
    unrecorded: findUnrecorded(tree),
    bareColumns: findBareColumns(tree, to),
    kinds: new Map(),
    chained: new Map(),
    translate: (node) => translateNode(node, translation),
    unsupported: reporterOf('unsupported'),
    changed: reporterOf('changed'),
  };
  return translation;
}
