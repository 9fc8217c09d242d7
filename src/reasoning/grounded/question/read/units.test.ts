import { describe, expect, it } from 'vitest';
import { inColumnUnit, unitNamed, unitOfColumn } from './units.ts';

describe('the unit of a column', () => {
  const told: readonly (readonly [name: string, quantity: string, comment?: string])[] = [
    ['Milliseconds', 'time'],
    ['duration_min', 'time'],
    ['planned_hrs', 'time'],
    ['Hours', 'time'],
    ['Hours_Per_Week', 'time'],
    ['Years_Played', 'time'],
    ['tenure_years', 'time'],
    ['wt_kg', 'weight'],
    ['weight_g', 'weight'],
    ['distance_km', 'distance'],
    ['Height_feet', 'distance'],
    ['focal_length_mm', 'distance'],
    ['Area_km_2', 'area'],
    ['max_wind_Speed_mph', 'speed'],
    ['cost_cents', 'money'],
    ['rate_per_kg_cents', 'money'],
    ['price_in_euros', 'money'],
    ['Sales_in_Billion', 'count'],
    ['length', 'time', 'running time in minutes'],
    ['load', 'weight', 'gross (kg)'],
    ['length', 'none', 'how many minutes people say it is'],
    ['min_salary', 'none'],
    ['price_min', 'none'],
    ['price_per_l', 'none'],
    ['Year', 'none'],
    ['release_year', 'none'],
    ['day_of_week', 'none'],
    ['Show_times_per_day', 'none'],
    ['meter_100', 'none'],
    ['m_ID', 'none'],
    ['tons_name', 'none'],
    ['start_month', 'none'],
    ['opened', 'none', 'opened in May'],
  ];
  it.each(told.map(([name, quantity, comment]) => ({ name, quantity, comment })))(
    '$name: $quantity',
    ({ name, quantity, comment }) => {
      expect(unitOfColumn({ name, comment })?.quantity ?? 'none').toBe(quantity);
    },
  );
});

describe('a number in the unit of a column', () => {
  const rows: readonly (readonly [number: number, unit: string, column: string, inColumn: number])[] = [
    [5, 'minutes', 'Milliseconds', 300_000],
    [90, 'minutes', 'planned_hrs', 1.5],
    [2, 'tonnes', 'wt_kg', 2000],
    [3, 'metric tons', 'wt_kg', 3000],
    [1.5, 'kg', 'weight_g', 1500],
    [10, 'miles', 'distance_km', 16.09344],
    [50, 'dollars', 'cost_cents', 5000],
    [50, 'euros', 'price_in_euros', 50],
    [2, 'million', 'Sales_in_Billion', 0.002],
    [3, 'million', 'population', 3_000_000],
    [1, 'million', 'cost_cents', 1_000_000],
    [5, 'square miles', 'area_sqkm', 12.9499405517],
    [20, 'minutes', 'length', 20],
  ];
  it.each(rows)('%d %s in %s is %d', (number, unit, name, inColumn) => {
    const said = unitNamed(unit);
    expect(said && inColumnUnit(number, said, { name })).toMatchObject({ number: inColumn });
  });

  const others: readonly (readonly [unit: string, column: string])[] = [
    ['minutes', 'wt_kg'],
    ['kg', 'distance_km'],
    ['dollars', 'price_in_euros'],
  ];
  it.each(others)('%s are not what %s is measured in', (unit, name) => {
    const said = unitNamed(unit);
    expect(said && inColumnUnit(1, said, { name })).toEqual({ kind: 'other' });
  });
});
