-- question: How many dealers are registered in Sunport?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT COUNT(DISTINCT d.dealer_id) AS dealers
FROM dealers AS d
JOIN areas AS a ON a.area_id = d.area_id
WHERE d.closed_on IS NULL AND a.city_name = 'Sunport';
