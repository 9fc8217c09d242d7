export { writeProject } from './write-project.ts';
