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

/** The pages beside the chat, in the order of the menu. */
export const PAGES: readonly Page[] = [];

/** Keeps the imports of pages in one form. */
export const lazyPage = (
  load: () => Promise<{ default: ComponentType<PageProps> }>,
): LazyExoticComponent<ComponentType<PageProps>> => lazy(load);
