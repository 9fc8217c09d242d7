import type { SharedState } from '../shared-state.ts';
import { type PublishedBundle, type PublishOptions, publishBundle } from './publish-bundle.ts';
import { type PulledBundle, pullBundle } from './pull-bundle.ts';

/** What is derived from the database of a workspace, among all bundles. The project that a server is started in has the name `''`. */
export function derivedBundle(workspace: string): string {
  return `derived:${workspace}`;
}

/** Tells all servers of an installation of new derived data: see `publishBundle`. */
export function publishDerived(
  state: SharedState,
  workspace: string,
  folder: string,
  options: PublishOptions = {},
): Promise<PublishedBundle> {
  return publishBundle(state, derivedBundle(workspace), folder, options);
}

/** The newest derived data of an installation, below `folder`: see `pullBundle`. */
export function pullDerived(
  state: SharedState,
  workspace: string,
  folder: string,
): Promise<PulledBundle | undefined> {
  return pullBundle(state, derivedBundle(workspace), folder);
}
