-- question: Which 10 dealers had the most test drive no-shows in 2024?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT d.dealer_name, COUNT(DISTINCT t.test_drive_id) AS no_shows
FROM test_drives AS t
JOIN dealers AS d ON d.dealer_id = t.dealer_id
WHERE t.status = 'NOSHOW' AND t.driven_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY d.dealer_id, d.dealer_name
ORDER BY no_shows DESC, d.dealer_name
LIMIT 10;
