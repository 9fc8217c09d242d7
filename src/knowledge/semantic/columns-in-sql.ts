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

/** The tables that subqueries of a fragment read, in lower case, with their schema where it is written. */
export function tablesInSql(sql: string): readonly string[] {
  const tokens = significantTokens(lexSql(sql, 'sqlite'));
  const textAt = (index: number): string => (tokens[index]?.text ?? '').toLowerCase();
  // `EXTRACT(YEAR FROM day)` has a FROM of its own.
  const first = tokens.findIndex(({ text }) => /^select$/i.test(text));
  const made = tokens.flatMap((_, at) =>
    textAt(at + 1) === 'as' && textAt(at + 2) === '(' ? [bare(textAt(at))] : [],
  );
  const read = tokens.flatMap(({ kind }, at) => {
    const isRead = first >= 0 && at > first && /^(?:from|join)$/.test(textAt(at - 1));
    if (!isRead || (kind !== 'word' && kind !== 'quoted-name')) return [];
    const parts = [bare(textAt(at))];
    for (let next = at + 1; textAt(next) === '.'; next += 2) parts.push(bare(textAt(next + 1)));
    return [parts.join('.')];
  });
  return read.filter((name) => !made.includes(name));
}

function bare(name: string): string {
  return name.replace(/^["`[]|["`\]]$/g, '');
}
