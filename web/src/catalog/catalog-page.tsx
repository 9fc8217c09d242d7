import type { PageProps } from '../shell/pages.ts';
import '../explore.css';
import { TableList } from './table-list.tsx';
import { TableView } from './table-view.tsx';

/** `#/catalog`: all tables; `#/catalog/orders`: one of them. */
export default function CatalogPage({ route: [id] }: PageProps) {
  return (
    <div className="page explore">{id === undefined ? <TableList /> : <TableView key={id} id={id} />}</div>
  );
}
