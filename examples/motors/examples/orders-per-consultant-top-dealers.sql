-- question: Orders per consultant by dealer in 2024, best five
-- verified_by: motors team
-- verified_at: 2025-01-15
WITH signed AS (
  SELECT dealer_id, COUNT(DISTINCT order_id) AS orders
  FROM orders
  WHERE is_deleted = 0 AND signed_on BETWEEN '2024-01-01' AND '2024-12-31'
  GROUP BY dealer_id
), staff AS (
  SELECT dealer_id, COUNT(DISTINCT employee_id) AS consultants
  FROM employees
  WHERE role = 'SC' AND left_on IS NULL
  GROUP BY dealer_id
)
SELECT d.dealer_name, CAST(signed.orders AS REAL) / NULLIF(staff.consultants, 0) AS orders_per_consultant
FROM dealers AS d
JOIN signed ON signed.dealer_id = d.dealer_id
JOIN staff ON staff.dealer_id = d.dealer_id
ORDER BY orders_per_consultant DESC
LIMIT 5;
