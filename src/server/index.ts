/** Candor over HTTP. */
export { type RunningServer, type ServerSettings, startServer } from './start-server.ts';
