-- question: Revenue by region in 2023
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT p.region, SUM(o.amount) AS revenue
FROM orders AS o
JOIN dealers AS d ON d.dealer_id = o.dealer_id
JOIN areas AS a ON a.area_id = d.sales_area_id
JOIN provinces AS p ON p.province_id = a.province_id
WHERE o.is_deleted = 0 AND o.delivered_on BETWEEN '2023-01-01' AND '2023-12-31'
GROUP BY p.region;
