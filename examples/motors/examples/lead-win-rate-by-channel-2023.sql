-- question: What was the lead win rate by channel in 2023?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT c.channel_level_one,
  CAST(COUNT(DISTINCT CASE WHEN l.lead_status = 'L4' THEN l.lead_id END) AS REAL)
    / NULLIF(COUNT(DISTINCT l.lead_id), 0) AS lead_win_rate
FROM leads AS l
JOIN channels AS c ON c.channel_id = l.channel_id
WHERE l.is_deleted = 0 AND l.created_on BETWEEN '2023-01-01' AND '2023-12-31'
GROUP BY c.channel_level_one;
