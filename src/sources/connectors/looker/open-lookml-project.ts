import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import type { QueryDatabase } from '../bi/item-parts.ts'
import type { LookerApi } from './looker-api.ts'
import type { LookerSettings } from './looker-settings.ts'
import { type LookmlProject, readProject } from './lookml-project.ts'

/** What the test of a connection says about the files. */
export const testProject = (project: LookmlProject | undefined): string[] =>
  project
    ? [
        `LookML project ${project.title}: ${project.models.size} models and ${project.views.length} views.`,
        ...project.problems.slice(0, 1).map((problem) => `Cannot be read: ${problem}`),
      ]
    : []

/** The project of the settings. Databases are those of Looker's connections, as far as it tells them. */
export const openProject = async (
  { path, ...settings }: LookerSettings,
  api: LookerApi | undefined,
): Promise<LookmlProject | undefined> => {
  const findDatabase = async (connection: string | undefined): Promise<QueryDatabase> => {
    const known = connection && api ? await api.findConnection(connection) : {}
    const dialect = known.dialect ?? (settings.dialect ? (findEngineDialect(settings.dialect) ?? settings.dialect) : undefined)
    const schema = known.schema ?? (settings.schema || DEFAULT_SCHEMAS[dialect ?? ''])
    return { dialect, database: known.database ?? (settings.database || undefined), schema }
  }
  return path ? readProject(path, findDatabase) : undefined
}
