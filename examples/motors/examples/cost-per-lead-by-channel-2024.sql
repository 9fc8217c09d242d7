-- question: Cost per lead by channel in 2024
-- verified_by: motors team
-- verified_at: 2025-01-15
WITH spent AS (
  SELECT c.channel_level_one, SUM(k.budget) AS budget
  FROM campaigns AS k
  JOIN channels AS c ON c.channel_id = k.channel_id
  WHERE k.started_on BETWEEN '2024-01-01' AND '2024-12-31'
  GROUP BY c.channel_level_one
), won AS (
  SELECT c.channel_level_one, COUNT(DISTINCT l.lead_id) AS leads
  FROM leads AS l
  JOIN channels AS c ON c.channel_id = l.channel_id
  WHERE l.is_deleted = 0 AND l.campaign_id IS NOT NULL
    AND l.created_on BETWEEN '2024-01-01' AND '2024-12-31'
  GROUP BY c.channel_level_one
)
SELECT spent.channel_level_one, CAST(spent.budget AS REAL) / NULLIF(won.leads, 0) AS cost_per_lead
FROM spent
JOIN won ON won.channel_level_one = spent.channel_level_one;
