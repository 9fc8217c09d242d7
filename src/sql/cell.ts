/** One value of a result. Dates and timestamps come as ISO text, decimals as numbers (as text beyond 15 digits), whole numbers beyond 2^53 as bigint. */
export type Cell = null | boolean | number | bigint | string | Uint8Array;
