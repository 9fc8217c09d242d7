/** Words of business databases that the synthetic catalogs are drawn from. */

/** Parts of a company; the first half of a table's name. */
export const AREAS: readonly string[] = (
  'sales purchase marketing finance payroll warehouse factory service support fleet insurance loan retail ' +
  'wholesale hotel airline hospital school library theatre energy water waste telecom mobile cable media print ' +
  'legal audit tax treasury safety quality research design training recruitment travel catering'
).split(' ');

/** Things a company keeps rows of; the second half of a table's name. */
export const ENTITIES: readonly string[] = (
  'order invoice payment customer supplier product shipment contract employee department account budget campaign ' +
  'ticket claim policy booking room flight patient course student meter reading pipeline site machine part batch ' +
  'inspection complaint refund coupon visit survey lease vehicle driver route depot tariff subscription device ' +
  'license asset vendor project task meeting office branch region channel partner member voucher'
).split(' ');

/** What is kept of a thing beside the thing itself: `sales_order_line`. */
export const ASPECTS: readonly string[] = 'line history note status schedule document forecast summary'.split(
  ' ',
);

/** Numbers a row holds. */
export const MEASURES: readonly string[] = (
  'amount price cost quantity weight discount score rating duration distance capacity volume margin fee balance ' +
  'salary age height temperature pressure speed usage area length width priority'
).split(' ');

/** Days a row holds. */
export const DAYS: readonly string[] = 'created opened closed paid shipped signed'.split(' ');

/** First and last words of the names stored in rows: `Silver Harbour 12`. */
export const NAME_STARTS: readonly string[] = (
  'Silver Golden Northern Southern Eastern Western Royal Urban Coastal Alpine Prime Global Modern Classic Grand ' +
  'Quiet Bright Rapid Solid Green Blue Amber Crystal Velvet Iron Copper Maple Cedar Willow Birch'
).split(' ');
export const NAME_ENDS: readonly string[] = (
  'Harbour Valley Bridge Tower Garden Meadow Station Market Gallery Forge Mill Orchard Harvest Canyon Island ' +
  'Summit River Forest Lagoon Plaza Quarry Haven Ridge Crossing Terrace'
).split(' ');

/** Stored in every table's city column, so that one value stands in as many columns as there are tables. */
export const CITIES: readonly string[] = (
  'Lisbon Porto Madrid Seville Valencia Paris Lyon Nantes Brussels Ghent Amsterdam Utrecht Berlin Hamburg Munich ' +
  'Cologne Vienna Graz Zurich Geneva Milan Turin Naples Rome Athens Sofia Bucharest Budapest Prague Brno Warsaw ' +
  'Krakow Vilnius Riga Tallinn Helsinki Stockholm Gothenburg Oslo Bergen Copenhagen Aarhus Dublin Cork London ' +
  'Leeds Bristol Glasgow Cardiff Belfast'
).split(' ');

/** Stored in every table's category column. */
export const CATEGORIES: readonly string[] = (
  'standard premium basic express economy private public internal external domestic imported exported seasonal ' +
  'regular urgent deferred partial complete pending approved rejected cancelled archived draft active dormant ' +
  'blocked reserved returned damaged refurbished certified organic digital manual automatic leased owned rented ' +
  'shared exclusive limited flexible fixed annual monthly weekly daily hourly nightly'
).split(' ');
