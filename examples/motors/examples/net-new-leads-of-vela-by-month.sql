-- question: Net new leads for Vela per month in 2024
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT c.month, COUNT(DISTINCT l.account_id) AS net_new_leads
FROM leads AS l
JOIN series AS s ON s.series_id = l.series_id
JOIN calendar AS c ON c.calendar_date = l.created_on
WHERE l.is_deleted = 0 AND l.is_net_new = 1 AND s.series_name = 'Vela' AND c.year = 2024
GROUP BY c.month
ORDER BY c.month;
