/**
 * Where a sentence of `checkSemanticModel` or `checkSemanticSql` points in a file: at the word it complains of, looked for from
 * the thing on whose account it complains; else at that thing, else at the first line.
 */
export function placeSentence(
  sentence: string,
  text: string,
  names: readonly string[],
): { readonly line: number; readonly column: number } {
  const lines = text.split('\n');
  const [head = ''] = sentence.split(': ', 1);
  const name = names.find((each) => head.includes(each));
  const isTwice = /stands twice|has two masks/.test(sentence);
  const start = name === undefined ? 0 : Math.max(0, lineNaming(lines, name, isTwice));
  const word = isTwice ? name : wordOf(sentence);
  const found = word === undefined ? undefined : findFrom(lines, word, start);
  if (found !== undefined) return found;
  const own = name === undefined ? -1 : (lines[start] ?? '').indexOf(name);
  return { line: start + 1, column: Math.max(0, own) + 1 };
}

/** `name: income`, `- name: "income"`; the last one where the name stands twice. */
function lineNaming(lines: readonly string[], name: string, isLast: boolean): number {
  const isNaming = (line: string): boolean => {
    const [, value = ''] = /\bname:\s*(.*)$/.exec(line) ?? [];
    return value.replace(/^["']/, '').startsWith(name);
  };
  const at = isLast ? lines.findLastIndex(isNaming) : lines.findIndex(isNaming);
  return at >= 0 ? at : lines.findIndex((line) => line.includes(name));
}

/** What it quotes, or the name that is unknown: its last part, since files leave out the rest. */
function wordOf(sentence: string): string | undefined {
  const quoted = /“([^”]+)”/.exec(sentence)?.[1];
  if (quoted !== undefined) return quoted.split('\n')[0];
  const name = /: (?:unknown [a-z]+ )?(\S+?)(?:;| is not a column|\.$)/.exec(sentence)?.[1];
  return name?.split('.').at(-1);
}

function findFrom(lines: readonly string[], word: string, start: number) {
  const wanted = word.toLowerCase();
  const line = lines.findIndex((each, at) => at >= start && each.toLowerCase().includes(wanted));
  if (line < 0) return undefined;
  return { line: line + 1, column: (lines[line] ?? '').toLowerCase().indexOf(wanted) + 1 };
}
