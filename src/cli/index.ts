export { main } from './main.ts';
export { buildWholeProgram } from './program.ts';
export type { Io } from './terminal/io.ts';
export { EXIT_CODES } from './terminal/io.ts';
