import { getTextCredential, type Source } from './connector.ts'
import { compilePatterns, type Patterns } from './name-patterns.ts'

/** What a source reports of its tables, dashboards and jobs: its `include` and `exclude`. */
export type { Patterns }

export const parsePatterns = (source: Source): Patterns =>
  compilePatterns(getTextCredential(source, 'include'), getTextCredential(source, 'exclude'))

/** Hold what patterns name, and are not matched themselves. */
const CONTAINERS: readonly string[] = [
  'cluster',
  'database',
  'schema',
  'dashboard_group',
  'job_group',
  'category',
  'collection',
  'test_suite',
]

export const isContainer = (entity_type: string): boolean => CONTAINERS.includes(entity_type)
