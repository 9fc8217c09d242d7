-- question: Registrations by series in Midford in 2022
-- verified_by: motors team
-- verified_at: 2025-01-15
SELECT series_name, SUM(registrations) AS registrations
FROM monthly_registrations
WHERE province_name = 'Midford' AND registration_month BETWEEN '2022-01-01' AND '2022-12-31'
GROUP BY series_name;
