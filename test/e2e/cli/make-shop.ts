import { DatabaseSync } from '@photostructure/sqlite';

const CITIES = ['Lyon', 'Paris', 'Lyon', 'Nice', 'Lyon', 'Paris'];

/** Writes the small shop that the documents and the command line tests ask: 6 customers, 12 orders. */
export function makeShop(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY,
      customer_id INTEGER NOT NULL REFERENCES customers (id),
      ordered_on TEXT NOT NULL,
      amount REAL NOT NULL
    );
  `);
  const customer = database.prepare('INSERT INTO customers VALUES (?, ?, ?)');
  for (const [index, city] of CITIES.entries()) customer.run(index + 1, `Customer ${index + 1}`, city);
  const order = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)');
  for (let id = 1; id <= 12; id++)
    order.run(id, (id % 5) + 1, `2024-${String(id).padStart(2, '0')}-15`, 10 * id);
  database.close();
}
