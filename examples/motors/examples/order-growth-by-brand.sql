-- question: By how many percent did orders grow from 2022 to 2023 for each brand?
-- verified_by: motors team
-- verified_at: 2025-01-15
WITH yearly AS (
  SELECT b.brand_name, c.year, COUNT(DISTINCT o.order_id) AS orders
  FROM orders AS o
  JOIN models AS m ON m.model_id = o.model_id
  JOIN series AS s ON s.series_id = m.series_id
  JOIN brands AS b ON b.brand_id = s.brand_id
  JOIN calendar AS c ON c.calendar_date = o.signed_on
  WHERE o.is_deleted = 0 AND c.year IN (2022, 2023)
  GROUP BY b.brand_name, c.year
)
SELECT later.brand_name, 100.0 * (later.orders - earlier.orders) / earlier.orders AS growth_percent
FROM yearly AS later
JOIN yearly AS earlier ON earlier.brand_name = later.brand_name AND earlier.year = 2022
WHERE later.year = 2023;
