-- question: Target attainment by brand in Q1 2024
-- verified_by: motors team
-- verified_at: 2025-01-15
WITH signed AS (
  SELECT s.brand_id, COUNT(DISTINCT o.order_id) AS orders
  FROM orders AS o
  JOIN models AS m ON m.model_id = o.model_id
  JOIN series AS s ON s.series_id = m.series_id
  WHERE o.is_deleted = 0 AND o.signed_on BETWEEN '2024-01-01' AND '2024-03-31'
  GROUP BY s.brand_id
), planned AS (
  SELECT brand_id, SUM(order_target) AS order_target
  FROM targets
  WHERE level_code = 0 AND month_start BETWEEN '2024-01-01' AND '2024-03-31'
  GROUP BY brand_id
)
SELECT b.brand_name, CAST(signed.orders AS REAL) / NULLIF(planned.order_target, 0) AS target_attainment
FROM brands AS b
JOIN signed ON signed.brand_id = b.brand_id
JOIN planned ON planned.brand_id = b.brand_id;
