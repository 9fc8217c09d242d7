-- question: What was the average selling price of SUVs in 2024?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT AVG(o.amount) AS average_order_price
FROM orders AS o
JOIN models AS m ON m.model_id = o.model_id
JOIN series AS s ON s.series_id = m.series_id
WHERE o.is_deleted = 0 AND s.body_type = 'SUV' AND o.signed_on BETWEEN '2024-01-01' AND '2024-12-31';
