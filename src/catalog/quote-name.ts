/** Both engines quote names alike: `quoteName('Order Lines')` → `"Order Lines"`. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
