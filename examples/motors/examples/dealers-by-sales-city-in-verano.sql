-- question: How many dealers sell in each city of Verano?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT a.city_name, COUNT(DISTINCT d.dealer_id) AS dealers
FROM dealers AS d
JOIN areas AS a ON a.area_id = d.sales_area_id
JOIN provinces AS p ON p.province_id = a.province_id
WHERE d.closed_on IS NULL AND p.province_name = 'Verano'
GROUP BY a.city_name;
