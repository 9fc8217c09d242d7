const CODE = /`([^`\n]+)`/g;
const NAME = /^[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*)*$/u;

/** The names that stand as `code` in a text, each once: `orders`, `orders.signed_on`; not `x = 1`. */
export function codeNames(text: string): string[] {
  const codes = [...text.matchAll(CODE)].map(([, code = '']) => code.trim());
  return [...new Set(codes.filter((code) => NAME.test(code)))];
}
