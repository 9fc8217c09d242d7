import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Messages } from '../i18n/english.ts';
import type { Route } from './use-route.ts';

export interface PageProps {
  /** What stands behind the name of the page: `#/catalog/orders` is `['orders']`. */
  readonly route: Route;
}

export interface Page {
  /** First part of its address. */
  readonly id: string;
  readonly title: (messages: Messages) => string;
  readonly view: LazyExoticComponent<ComponentType<PageProps>>;
  /** There is no way to it but a link that somebody gives. */
  readonly isUnlisted?: true;
}

/** Keeps the imports of pages in one form. */
const lazyPage = (
  load: () => Promise<{ default: ComponentType<PageProps> }>,
): LazyExoticComponent<ComponentType<PageProps>> => lazy(load);

/** The pages beside the chat, in the order of the menu. */
export const PAGES: readonly Page[] = [
  {
    id: 'catalog',
    title: ({ explore }) => explore.catalog,
    view: lazyPage(() => import('../catalog/catalog-page.tsx')),
  },
  {
    id: 'values',
    title: ({ explore }) => explore.values,
    view: lazyPage(() => import('../values/values-page.tsx')),
  },
  {
    id: 'graph',
    title: ({ explore }) => explore.graph,
    view: lazyPage(() => import('../graph/graph-page.tsx')),
  },
  {
    id: 'areas',
    title: ({ explore }) => explore.areas,
    view: lazyPage(() => import('../areas/areas-page.tsx')),
  },
  {
    id: 'knowledge',
    title: ({ files }) => files.knowledge,
    view: lazyPage(() => import('../files/knowledge-page.tsx')),
  },
  {
    id: 'runs',
    title: ({ files }) => files.runs,
    view: lazyPage(() => import('../runs/runs-page.tsx')),
  },
  {
    id: 'tests',
    title: ({ desk }) => desk.tests,
    view: lazyPage(() => import('../tests/tests-page.tsx')),
  },
  {
    id: 'jobs',
    title: ({ jobs }) => jobs.jobs,
    view: lazyPage(() => import('../jobs/jobs-page.tsx')),
  },
  {
    id: 'settings',
    title: ({ desk }) => desk.settings,
    view: lazyPage(() => import('../settings/settings-page.tsx')),
  },
  {
    id: 'api',
    title: ({ desk }) => desk.api,
    view: lazyPage(() => import('../reference/reference-page.tsx')),
  },
  {
    id: 'shared',
    title: ({ sharing }) => sharing.sharedChat,
    view: lazyPage(() => import('../share/shared-page.tsx')),
    isUnlisted: true,
  },
];
