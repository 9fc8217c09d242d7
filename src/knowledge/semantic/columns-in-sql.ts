import { lexSql, significantTokens } from '../../sql/index.ts';

/** The `table.column` pairs of a fragment of SQL, in lower case. */
export function columnsInSql(sql: string): readonly string[] {
  const tokens = significantTokens(lexSql(sql, 'sqlite'));
  return tokens.flatMap((token, index) => {
    const [dot, column] = [tokens[index + 1], tokens[index + 2]];
    return token.kind === 'word' && dot?.text === '.' && column?.kind === 'word'
      ? [`${token.text}.${column.text}`.toLowerCase()]
      : [];
  });
}
