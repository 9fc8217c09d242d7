-- question: What is the order backlog by brand?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT b.brand_name, COUNT(DISTINCT o.order_id) AS order_backlog
FROM orders AS o
JOIN models AS m ON m.model_id = o.model_id
JOIN series AS s ON s.series_id = m.series_id
JOIN brands AS b ON b.brand_id = s.brand_id
WHERE o.is_deleted = 0 AND o.order_status IN ('S10', 'S20', 'S30')
GROUP BY b.brand_name;
