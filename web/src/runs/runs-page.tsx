import type { PageProps } from '../shell/pages.ts';
import '../explore.css';
import '../files.css';
import { RunList } from './run-list.tsx';
import { RunView } from './run-view.tsx';

/** `#/runs`: what was answered; `#/runs/ID`: how one answer came about. */
export default function RunsPage({ route: [id] }: PageProps) {
  return <div className="page explore">{id === undefined ? <RunList /> : <RunView key={id} id={id} />}</div>;
}
