import type { DemoColumn, DemoColumnType, DemoTable } from './table-spec.ts';

interface ColumnOptions {
  readonly references?: string;
  readonly nullable?: boolean;
}

function column(name: string, type: DemoColumnType, comment = '', options: ColumnOptions = {}): DemoColumn {
  return {
    name,
    type,
    isNullable: options.nullable ?? false,
    ...(comment === '' ? {} : { comment }),
    ...(options.references === undefined ? {} : { references: options.references }),
  };
}

function key(name: string, references: string, comment = ''): DemoColumn {
  return column(name, 'integer', comment, { references });
}

function optionalKey(name: string, references: string, comment = ''): DemoColumn {
  return column(name, 'integer', comment, { references, nullable: true });
}

function optional(name: string, type: DemoColumnType, comment = ''): DemoColumn {
  return column(name, type, comment, { nullable: true });
}

function table(
  name: string,
  comment: string,
  columns: readonly DemoColumn[],
  indexes: string[] = [],
): DemoTable {
  const first = columns[0];
  if (first === undefined) throw new RangeError(`table ${name} has no columns`);
  return { name, comment, columns, primaryKey: first.name, indexes };
}

/** The tables of the Motors demo, parents before children. The first column is the primary key. */
export const MOTORS_TABLES: readonly DemoTable[] = [
  table('provinces', 'Provinces, each in one of five regions', [
    column('province_id', 'integer'),
    column('province_name', 'text'),
    column('region', 'text', 'North, South, East, West or Central'),
  ]),
  table('areas', 'Cities, each in one province', [
    column('area_id', 'integer'),
    column('city_name', 'text', 'Two provinces have a Newport; Carrow is a city and a province'),
    key('province_id', 'provinces.province_id'),
    column('city_tier', 'integer', '1 = largest markets, 3 = smallest'),
  ]),
  table('brands', 'The four brands of the group', [
    column('brand_id', 'integer'),
    column('brand_name', 'text'),
    column('segment', 'text'),
    column('founded_year', 'integer'),
  ]),
  table('series', 'Car series, each of one brand', [
    column('series_id', 'integer'),
    column('series_name', 'text'),
    key('brand_id', 'brands.brand_id'),
    column('body_type', 'text', 'SUV, SED saloon, HAT hatchback, MPV, EST estate'),
    column('launched_on', 'date'),
    optional('discontinued_on', 'date', 'NULL while the series is sold'),
  ]),
  table('models', 'Models (trims), each of one series', [
    column('model_id', 'integer'),
    column('model_name', 'text'),
    key('series_id', 'series.series_id'),
    column('energy_type', 'integer', '1 petrol, 2 battery electric, 3 plug-in hybrid'),
    column('list_price', 'integer', 'EUR, without options'),
    column('seats', 'integer'),
    optional('electric_range_km', 'integer', 'NULL for petrol cars'),
  ]),
  table('channels', 'Where leads come from, on two levels', [
    column('channel_id', 'integer'),
    column('channel_level_one', 'text'),
    column('channel_level_two', 'text'),
    column('is_paid', 'integer', '1 if the channel costs money'),
  ]),
  table('calendar', 'One row per day with natural and fiscal periods', [
    column('calendar_date', 'date'),
    column('year', 'integer'),
    column('quarter', 'text', 'Natural quarter, 2024-Q1'),
    column('month', 'text', 'Natural month, 2024-03'),
    column('natural_week', 'date', 'Monday of the week'),
    column('fiscal_year', 'integer', 'Starts on 1 April; named after the year it starts in'),
    column('fiscal_quarter', 'text', 'FY2024-Q1 is April to June 2024'),
    column('fiscal_week', 'text', 'FY2024-W01 is 1 to 7 April 2024'),
    column('is_weekend', 'integer'),
    column('is_holiday', 'integer'),
  ]),
  table('dealers', 'Dealers of all brands', [
    column('dealer_id', 'integer'),
    column('dealer_code', 'text'),
    column('dealer_name', 'text'),
    key('area_id', 'areas.area_id', 'City where the company is registered'),
    key('sales_area_id', 'areas.area_id', 'City that the dealer sells in; orders count here'),
    column('dealer_type', 'text', 'A full service, B city showroom, C satellite'),
    column('opened_on', 'date'),
    optional('closed_on', 'date', 'NULL while the dealer is open'),
  ]),
  table('employees', 'Staff of the dealers', [
    column('employee_id', 'integer'),
    column('full_name', 'text'),
    key('dealer_id', 'dealers.dealer_id'),
    column('role', 'text', 'SC sales consultant, SM sales manager, SA service adviser'),
    column('hired_on', 'date'),
    optional('left_on', 'date', 'NULL while employed'),
  ]),
  table('campaigns', 'Marketing campaigns', [
    column('campaign_id', 'integer'),
    column('campaign_name', 'text'),
    key('channel_id', 'channels.channel_id'),
    optionalKey('brand_id', 'brands.brand_id', 'NULL for campaigns of the whole group'),
    column('started_on', 'date'),
    column('ended_on', 'date'),
    column('budget', 'integer', 'EUR'),
  ]),
  table('accounts', 'Customers', [
    column('account_id', 'integer'),
    optional('gender', 'text', 'F, M or NULL when not stated'),
    optional('birth_year', 'integer'),
    key('area_id', 'areas.area_id', 'City where the customer lives'),
    column('customer_since', 'date'),
  ]),
  table(
    'leads',
    'Enquiries of customers about a series',
    [
      column('lead_id', 'integer'),
      key('account_id', 'accounts.account_id'),
      key('series_id', 'series.series_id'),
      key('channel_id', 'channels.channel_id'),
      optionalKey('campaign_id', 'campaigns.campaign_id'),
      key('area_id', 'areas.area_id', 'City where the customer wants to buy'),
      optionalKey('dealer_id', 'dealers.dealer_id', 'NULL until the lead is assigned'),
      column('created_on', 'date', 'Day of the enquiry'),
      optional('assigned_on', 'date', 'Day the lead went to a dealer'),
      column('lead_status', 'text', 'L1 new, L2 contacted, L3 qualified, L4 won, L9 lost'),
      column('is_net_new', 'integer', '1 if the customer was not known before'),
      column('is_deleted', 'integer', '1 for withdrawn duplicates'),
    ],
    ['created_on', 'series_id', 'dealer_id'],
  ),
  table(
    'test_drives',
    'Test drives booked by leads',
    [
      column('test_drive_id', 'integer'),
      key('lead_id', 'leads.lead_id'),
      key('model_id', 'models.model_id'),
      key('dealer_id', 'dealers.dealer_id'),
      optionalKey('employee_id', 'employees.employee_id'),
      column('driven_on', 'date'),
      column('status', 'text', 'DONE, NOSHOW or CANC'),
      optional('rating', 'integer', '1 to 5, NULL when the customer gave none'),
    ],
    ['lead_id', 'driven_on'],
  ),
  table(
    'orders',
    'Cars ordered by customers',
    [
      column('order_id', 'integer'),
      column('order_no', 'text'),
      optionalKey('lead_id', 'leads.lead_id', 'NULL for walk-in customers'),
      key('account_id', 'accounts.account_id'),
      key('model_id', 'models.model_id'),
      key('dealer_id', 'dealers.dealer_id'),
      optionalKey('employee_id', 'employees.employee_id'),
      column('order_status', 'text', 'S10 signed, S20 financed, S30 allocated, S40 delivered, S90 cancelled'),
      column('signed_on', 'date', 'Day of the contract'),
      optional('delivered_on', 'date', 'Day of handover; NULL before'),
      column('amount', 'integer', 'EUR after discount'),
      column('discount', 'integer', 'EUR'),
      column('is_deleted', 'integer', '1 for orders entered by mistake'),
    ],
    ['signed_on', 'delivered_on', 'dealer_id', 'model_id'],
  ),
  table(
    'service_visits',
    'Visits to the workshop with a car bought here',
    [
      column('visit_id', 'integer'),
      key('order_id', 'orders.order_id'),
      key('dealer_id', 'dealers.dealer_id'),
      column('visited_on', 'date'),
      column('visit_type', 'text', 'MNT maintenance, REP repair, BOD body work, RCL recall'),
      optional('amount', 'integer', 'EUR; NULL when nothing is billed'),
    ],
    ['order_id', 'visited_on'],
  ),
  table('targets', 'Monthly targets by brand; national and provincial rows stand side by side', [
    column('target_id', 'integer'),
    column('month_start', 'date'),
    column('level_code', 'integer', '0 national, 20 province'),
    key('brand_id', 'brands.brand_id'),
    optionalKey('province_id', 'provinces.province_id', 'NULL on national rows'),
    column('order_target', 'integer'),
    column('delivery_target', 'integer'),
  ]),
  table('monthly_registrations', 'Cars newly registered, as the road authority reports them: names, no ids', [
    column('registration_id', 'integer'),
    column('registration_month', 'date', 'First day of the month'),
    column('province_name', 'text'),
    column('brand_name', 'text'),
    column('series_name', 'text'),
    column('registrations', 'integer'),
  ]),
];
