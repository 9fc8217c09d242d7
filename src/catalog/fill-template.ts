/** Puts texts in the places of a template: `fillTemplate('MAX({0}) - {1}', 'a', 'b')` → `MAX(a) - b`. */
export function fillTemplate(template: string, ...texts: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (_, place: string) => texts[Number(place)] ?? '');
}
