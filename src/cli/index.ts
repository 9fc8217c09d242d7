export { main } from './main.ts';
export { buildWholeProgram } from './program.ts';
export { EXIT_CODES } from './terminal/exit-codes.ts';
export type { Io } from './terminal/io.ts';
