-- question: How many Kestrel cars did we deliver in 2024?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT COUNT(DISTINCT o.order_id) AS deliveries
FROM orders AS o
JOIN models AS m ON m.model_id = o.model_id
JOIN series AS s ON s.series_id = m.series_id
JOIN brands AS b ON b.brand_id = s.brand_id
WHERE o.is_deleted = 0 AND b.brand_name = 'Kestrel'
  AND o.delivered_on BETWEEN '2024-01-01' AND '2024-12-31';
