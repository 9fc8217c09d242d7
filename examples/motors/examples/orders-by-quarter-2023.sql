-- question: How many orders were signed in each quarter of 2023?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT c.quarter, COUNT(DISTINCT o.order_id) AS orders
FROM orders AS o
JOIN calendar AS c ON c.calendar_date = o.signed_on
WHERE o.is_deleted = 0 AND c.year = 2023
GROUP BY c.quarter
ORDER BY c.quarter;
