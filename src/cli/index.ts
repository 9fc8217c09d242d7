export { EXIT_CODES } from './exit-codes.ts';
export type { Io, Output } from './io.ts';
export { main } from './main.ts';
export { buildProgram } from './program.ts';
