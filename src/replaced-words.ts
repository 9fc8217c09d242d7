/**
 * What stands in `merged` where `question` has the phrase; undefined where something else differs too, or where the new words
 * hold the phrase again and could not stand for it.
 */
export function replacedWords(question: string, merged: string, phrase: string): string | undefined {
  const at = question.toLowerCase().indexOf(phrase.toLowerCase());
  if (at < 0 || phrase === '') return undefined;
  const [before, after] = [question.slice(0, at), question.slice(at + phrase.length)];
  const end = after.replace(/[?.!\s]+$/, '');
  const body = merged.replace(/[?.!\s]+$/, '');
  if (!body.toLowerCase().startsWith(before.toLowerCase()) || !body.endsWith(end)) return undefined;
  const words = body.slice(before.length, body.length - end.length).trim();
  const isOver = words === '' || words.toLowerCase().includes(phrase.toLowerCase());
  return isOver ? undefined : words;
}
