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
];
