import type { WorkerOptions, WorkerProject } from '../../../jobs/index.ts';
import type { SharedInstallation, SharedWork } from '../../../server/index.ts';

/**
 * The projects of a worker as their installation has them: each job begins with the newest files and derived data, and what it has
 * made is published before it counts as done.
 */
export function sharedWork(
  projects: readonly WorkerProject[],
  installation: SharedInstallation | undefined,
): Pick<WorkerOptions, 'projects' | 'afterChange'> {
  if (installation === undefined) return { projects };
  const works = new Map<string, Promise<SharedWork>>();
  const workOf = async ({ name, readConfig }: WorkerProject): Promise<SharedWork> => {
    const known = works.get(name) ?? readConfig().then((config) => installation.work(name, config));
    works.set(name, known);
    known.catch(() => works.delete(name));
    return known;
  };
  return {
    projects: projects.map((project) => ({
      name: project.name,
      readConfig: async () => (await workOf(project)).begin(await project.readConfig()),
    })),
    afterChange: async ({ project: name }) => {
      const project = projects.find((each) => each.name === name);
      if (project !== undefined) await (await workOf(project)).publish();
    },
  };
}
