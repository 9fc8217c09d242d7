/** dbt: the manifest and catalog of a build, or the YAML files of a project with MetricFlow's semantic models. */
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportDbt } from './export-dbt.ts';
import { importDbt } from './import-dbt.ts';

/** YAML of a dbt project that describes no tables. */
const OTHER_YAML = /(?:^|\/)(?:packages|package-lock|dependencies|profiles|selectors|dbt_cloud)\.ya?ml$/;

export const DBT: InterchangeFormat = {
  name: 'dbt',
  title: 'dbt (target/manifest.json with catalog.json, or models/**/*.yml with MetricFlow)',
  // A manifest also holds the SQL of every model, twice.
  largestFile: 256 * 1024 * 1024,
  accepts: (path) => {
    const name = path.split('/').at(-1)?.toLowerCase() ?? '';
    if (name === 'manifest.json' || name === 'catalog.json') return true;
    return (
      /\.ya?ml$/.test(name) && !OTHER_YAML.test(path) && !/(?:^|\/)(?:dbt_packages|dbt_modules)\//.test(path)
    );
  },
  import: importDbt,
  export: ({ models }) => ({ files: exportDbt(models), losses: [] }),
};
