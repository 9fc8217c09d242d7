-- question: How many different customers bought in 2024, by gender?
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT k.gender, COUNT(DISTINCT o.account_id) AS buyers
FROM orders AS o
JOIN accounts AS k ON k.account_id = o.account_id
WHERE o.is_deleted = 0 AND o.signed_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY k.gender;
