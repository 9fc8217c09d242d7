-- question: How many plug-in hybrids were delivered in each province in 2024?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT p.province_name, COUNT(DISTINCT o.order_id) AS deliveries
FROM orders AS o
JOIN models AS m ON m.model_id = o.model_id
JOIN dealers AS d ON d.dealer_id = o.dealer_id
JOIN areas AS a ON a.area_id = d.sales_area_id
JOIN provinces AS p ON p.province_id = a.province_id
WHERE o.is_deleted = 0 AND m.energy_type = 3 AND o.delivered_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY p.province_name;
