-- A made-up group of clinics, written for `bench/broken-definitions.ts` by somebody who had not read the checks.
CREATE TABLE sites (site_id INTEGER PRIMARY KEY, site_name TEXT NOT NULL, town TEXT NOT NULL, region_cd TEXT NOT NULL);
CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name TEXT NOT NULL);
CREATE TABLE physicians (
  physician_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, dept_id INTEGER NOT NULL REFERENCES departments (dept_id),
  site_id INTEGER NOT NULL REFERENCES sites (site_id), supervisor_id INTEGER REFERENCES physicians (physician_id),
  grade_cd TEXT NOT NULL, joined_on TEXT NOT NULL, left_on TEXT);
CREATE TABLE patients (
  patient_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, sex_cd INTEGER NOT NULL, born_on TEXT NOT NULL,
  home_site_id INTEGER NOT NULL REFERENCES sites (site_id), insurer_cd TEXT NOT NULL, registered_on TEXT NOT NULL, merged INTEGER NOT NULL);
CREATE TABLE visits (
  visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients (patient_id),
  referring_id INTEGER NOT NULL REFERENCES physicians (physician_id), treating_id INTEGER NOT NULL REFERENCES physicians (physician_id),
  site_id INTEGER NOT NULL REFERENCES sites (site_id), booked_on TEXT NOT NULL, held_on TEXT, state_cd INTEGER NOT NULL,
  kind_cd TEXT NOT NULL, is_void INTEGER NOT NULL, minutes INTEGER NOT NULL);
CREATE TABLE bills (
  bill_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits (visit_id), issued_on TEXT NOT NULL, settled_on TEXT,
  amount_cents INTEGER NOT NULL, payer_cd TEXT NOT NULL, is_test INTEGER NOT NULL);
CREATE TABLE transfers (
  transfer_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients (patient_id),
  from_site_id INTEGER NOT NULL REFERENCES sites (site_id), to_site_id INTEGER NOT NULL REFERENCES sites (site_id),
  asked_on TEXT NOT NULL, done_on TEXT, urgency INTEGER NOT NULL);
INSERT INTO sites VALUES (1, 'Harbour Clinic', 'Port Ellery', 'N'), (2, 'Mill Lane Clinic', 'Dunmore', 'N'), (3, 'Orchard Clinic', 'Calder', 'S'),
  (4, 'Hilltop Clinic', 'Wexley', 'S'), (5, 'Station Clinic', 'Dunmore', 'W');
INSERT INTO departments VALUES (1, 'Cardiology'), (2, 'Dermatology'), (3, 'Paediatrics'), (4, 'Orthopaedics');
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO physicians SELECT i, 'Dr ' || char(65 + i % 26) || char(97 + i * 7 % 26) || 'ston', 1 + i % 4, 1 + i * 3 % 5, CASE WHEN i > 6 THEN 1 + i % 6 END,
  CASE WHEN i <= 6 THEN 'C' WHEN i % 3 = 0 THEN 'R' ELSE 'S' END, date('2012-01-01', '+' || (i * 61) || ' days'),
  CASE WHEN i % 7 = 0 THEN date('2023-03-01', '+' || (i * 11) || ' days') END FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO patients SELECT i, 'Patient ' || i, 1 + i * 5 % 2, date('1940-01-01', '+' || (i * 47 % 29000) || ' days'), 1 + i * 7 % 5,
  CASE i * 11 % 10 WHEN 0 THEN 'PRV' WHEN 1 THEN 'PRV' WHEN 2 THEN 'SLF' ELSE 'PUB' END, date('2021-01-01', '+' || (i * 13 % 1400) || ' days'), i % 23 = 0 FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
INSERT INTO visits SELECT i, 1 + i * 17 % 600, 1 + i * 13 % 40, 1 + (i * 29 + i / 7) % 40, 1 + i * 3 % 5, date('2022-01-01', '+' || (i * 37 % 1090) || ' days'),
  CASE WHEN i % 6 = 5 THEN NULL ELSE date('2022-01-01', '+' || (i * 37 % 1090 + 3 + i % 40) || ' days') END,
  CASE WHEN i % 6 = 0 THEN 9 WHEN i % 6 = 5 THEN 1 + i / 6 % 2 * 6 ELSE 4 END,
  CASE (i + i / 9) % 11 WHEN 0 THEN 'V' WHEN 1 THEN 'V' WHEN 2 THEN 'H' ELSE 'C' END, i * 31 % 19 < 2, 10 + i * 7 % 50 FROM n;
INSERT INTO bills SELECT visit_id, visit_id, date(held_on, '+' || (visit_id % 20) || ' days'),
  CASE WHEN visit_id % 5 > 0 THEN date(held_on, '+' || (20 + visit_id % 60) || ' days') END, 2500 + visit_id * 1237 % 20011,
  CASE visit_id % 4 WHEN 0 THEN 'PAT' ELSE 'INS' END, visit_id * 7 % 29 < 3 FROM visits WHERE state_cd = 4;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
INSERT INTO transfers SELECT i, 1 + i * 19 % 600, 1 + i % 5, 1 + (i + 1 + i % 3) % 5, date('2022-01-01', '+' || (i * 41 % 1090) || ' days'),
  CASE WHEN i % 8 > 0 THEN date('2022-01-01', '+' || (i * 41 % 1090 + 1 + i % 35) || ' days') END, CASE WHEN i % 11 = 0 THEN 3 WHEN i % 4 = 0 THEN 2 ELSE 1 END FROM n;
