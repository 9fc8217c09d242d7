export { renderBroken, summariseBroken } from './render-broken.ts';
export { runBroken } from './run-broken.ts';
