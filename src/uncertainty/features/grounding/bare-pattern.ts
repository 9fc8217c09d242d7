/** `%Fresno%` → `Fresno`: a pattern without the wildcards at its ends. Linear, unlike `/%+$/`, which starts at every `%`. */
export function barePattern(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === '%') start += 1;
  while (end > start && text[end - 1] === '%') end -= 1;
  return text.slice(start, end);
}
