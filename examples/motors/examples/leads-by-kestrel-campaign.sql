-- question: How many leads did the Kestrel campaigns of 2024 bring, by campaign?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT k.campaign_name, COUNT(DISTINCT l.lead_id) AS leads
FROM leads AS l
JOIN campaigns AS k ON k.campaign_id = l.campaign_id
JOIN brands AS b ON b.brand_id = k.brand_id
WHERE l.is_deleted = 0 AND b.brand_name = 'Kestrel' AND k.started_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY k.campaign_name;
