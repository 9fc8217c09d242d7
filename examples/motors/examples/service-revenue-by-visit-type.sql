-- question: Service revenue by visit type in 2024
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT visit_type, SUM(amount) AS service_revenue
FROM service_visits
WHERE visited_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY visit_type;
