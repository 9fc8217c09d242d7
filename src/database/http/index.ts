/** Addresses of services. */

export { addEnvironmentSecret, fillUrl, redactUrl } from './connection-url.ts';
