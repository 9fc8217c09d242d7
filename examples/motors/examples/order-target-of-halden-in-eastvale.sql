-- question: What was the order target of Halden in Eastvale in 2023?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT SUM(t.order_target) AS order_target
FROM targets AS t
JOIN brands AS b ON b.brand_id = t.brand_id
JOIN provinces AS p ON p.province_id = t.province_id
WHERE t.level_code = 20 AND b.brand_name = 'Halden' AND p.province_name = 'Eastvale'
  AND t.month_start BETWEEN '2023-01-01' AND '2023-12-31';
