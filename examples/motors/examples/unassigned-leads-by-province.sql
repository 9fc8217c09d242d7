-- question: How many leads were not assigned in 2024, by province?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT p.province_name, COUNT(DISTINCT l.lead_id) AS unassigned_leads
FROM leads AS l
JOIN areas AS a ON a.area_id = l.area_id
JOIN provinces AS p ON p.province_id = a.province_id
WHERE l.is_deleted = 0 AND l.assigned_on IS NULL AND l.created_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY p.province_name;
