-- question: What percentage of orders was battery electric in each year?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT c.year,
  100.0 * COUNT(DISTINCT CASE WHEN m.energy_type = 2 THEN o.order_id END) / COUNT(DISTINCT o.order_id) AS percentage
FROM orders AS o
JOIN models AS m ON m.model_id = o.model_id
JOIN calendar AS c ON c.calendar_date = o.signed_on
WHERE o.is_deleted = 0
GROUP BY c.year
ORDER BY c.year;
