import { openSharedState, type SharedState } from '../state/shared-state.ts';

/** Hears the name of a bundle that has a new generation. */
export const BUNDLE_CHANNEL = 'candor_bundle';
/** Locks of generations that are being pulled. */
export const PULL_LOCKS = 226_369;
/** One lock for what decides which parts are needed. */
export const BUNDLE_LOCK = 226_370;

const BUNDLES_1 = `
CREATE TABLE candor.bundle_chunks (hash text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now());
ALTER TABLE candor.bundle_chunks ALTER bytes SET STORAGE MAIN;
CREATE TABLE candor.bundle_generations (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, bundle text NOT NULL,
  hash text NOT NULL, made_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON candor.bundle_generations (bundle, id DESC);
CREATE TABLE candor.bundle_files (generation int NOT NULL REFERENCES candor.bundle_generations (id) ON DELETE CASCADE,
  path text NOT NULL, bytes bigint NOT NULL, chunks text[] NOT NULL, PRIMARY KEY (generation, path));`;

/** PostgreSQL with the tables of bundles. Throws as connecting to a database does, and `store.unusable`. */
export function openBundleState(url: string): Promise<SharedState> {
  return openSharedState(url, { part: 'bundles', migrations: [BUNDLES_1] });
}
