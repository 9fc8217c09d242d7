/** A made-up log of a shop: the same lines for the same number, told by a generator, so that any size fits. */

type Statement = (n: number) => string;

/** People's questions with constants of their own, a program's look-ups, and statements that change data. */
const STATEMENTS: readonly Statement[] = [
  (n) => `SELECT id, status FROM orders WHERE id = ${n}`,
  (n) =>
    `SELECT c.city, SUM(o.amount) AS total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status = 's${n % 11}' AND o.ordered_on >= '2024-0${1 + (n % 9)}-01' GROUP BY c.city ORDER BY total DESC LIMIT 10`,
  (n) =>
    `WITH big AS (SELECT order_id, SUM(quantity) AS q FROM order_items GROUP BY order_id HAVING SUM(quantity) > ${n % 97}) SELECT p.name, COUNT(*) FROM big JOIN order_items i ON i.order_id = big.order_id JOIN products p ON p.id = i.product_id GROUP BY p.name`,
  (n) => `UPDATE orders SET status = 'x' WHERE id = ${n}`,
  () => 'SELECT country, COUNT(*) FROM customers GROUP BY country',
  (n) =>
    `SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > ${n % 1_000})`,
  () => 'SELECT e.name, m.name FROM employees e LEFT JOIN employees m ON m.id = e.manager_id',
  (n) => `SELECT shipped_on FROM shipments WHERE order_id IN (${n}, ${n + 1}, ${n + 2})`,
  () => 'SELECT count(*) FROM warehouse.stock',
];
const LINES_AT_ONCE = 1_000;

export function* logLines(entries: number): Generator<string> {
  for (let from = 0; from < entries; from += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, entries - from);
    yield Array.from({ length: count }, (_, index) => `${logLine(from + index)}\n`).join('');
  }
}

function logLine(n: number): string {
  const sql = STATEMENTS[n % STATEMENTS.length]?.(n) ?? '';
  if (n % 100 === 99) return `{"sql": "${sql}`;
  const day = String(1 + (n % 28)).padStart(2, '0');
  const month = String(1 + (Math.floor(n / 28) % 3)).padStart(2, '0');
  return JSON.stringify({ sql, user: `user${n % 240}`, at: `2024-${month}-${day}T10:00:00Z` });
}
