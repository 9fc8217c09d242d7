/** One value of a result. Dates and timestamps come as ISO text, exact decimals with a fraction as the engine's own text (`100.00`), whole numbers beyond 2^53 as bigint. */
export type Cell = null | boolean | number | bigint | string | Uint8Array;
