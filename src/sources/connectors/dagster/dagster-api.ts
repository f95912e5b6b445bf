import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import { MAX_RUNS } from '../orchestration/runs.ts'
import type { DagsterSettings } from './dagster-settings.ts'

/** Where jobs and assets are defined: a repository of a code location. */
export interface RepositoryName {
  readonly repositoryName: string
  readonly repositoryLocationName: string
}

/** A code location whose repositories are not listed, because it is being loaded or cannot be. */
export interface UnloadedLocation {
  readonly name: string
  readonly reason: string
}

interface Repositories {
  readonly version: string
  readonly repositories: RepositoryName[]
  readonly unloaded: UnloadedLocation[]
}

const MAX_REASON = 500

const ERROR = '... on Error { message }'

const REPOSITORIES = `query Repositories {
  version
  repositoriesOrError { __typename ... on RepositoryConnection { nodes { name location { name } } } ${ERROR} }
  workspaceOrError { __typename ... on Workspace { locationEntries { name locationOrLoadError { __typename ${ERROR} } } } ${ERROR} }
}`

const REPOSITORY = `query Repository($selector: RepositorySelector!) {
  repositoryOrError(repositorySelector: $selector) {
    __typename
    ... on Repository {
      jobs {
        name description isAssetJob tags { key value }
        schedules { name cronSchedule executionTimezone }
        runs(limit: ${MAX_RUNS}) { runId status startTime endTime }
      }
      assetNodes { assetKey { path } }
    }
    ${ERROR}
  }
}`

const METADATA = `metadataEntries {
  __typename label
  ... on TextMetadataEntry { text }
  ... on TableSchemaMetadataEntry { schema { columns { name type description } } }
  ... on TableColumnLineageMetadataEntry { lineage { columnName columnDeps { assetKey { path } columnName } } }
}`

const ASSETS = `query Assets($keys: [AssetKeyInput!]!) {
  assetNodes(assetKeys: $keys) {
    assetKey { path } description groupName jobNames kinds
    tags { key value }
    owners { ... on UserAssetOwner { email } ... on TeamAssetOwner { team } }
    dependencyKeys { path }
    ${METADATA}
    assetMaterializations(limit: 1) { timestamp ${METADATA} }
  }
}`

export class DagsterApi {
  readonly #client: HttpClient

  constructor(context: RunContext<DagsterSettings>) {
    const { url, token } = context.settings
    this.#client = createBiClient('Dagster', url, context)
    if (token) this.#client.setHeader('dagster-cloud-api-token', token)
  }

  async listRepositories(): Promise<Repositories> {
    const data = await this.#query('Repositories', REPOSITORIES)
    const repositories = expectType(data.object('repositoriesOrError'), 'RepositoryConnection').list('nodes')
    const locations = expectType(data.object('workspaceOrError'), 'Workspace').list('locationEntries')
    return {
      version: data.text('version'),
      repositories: repositories.map((each) => ({
        repositoryName: each.text('name'),
        repositoryLocationName: each.object('location').text('name'),
      })),
      unloaded: locations.flatMap((each) => findUnloaded(each)),
    }
  }

  async getRepository(selector: RepositoryName): Promise<Shape> {
    const data = await this.#query('Repository', REPOSITORY, { selector })
    return expectType(data.object('repositoryOrError'), 'Repository')
  }

  /** Those that still exist. */
  async listAssets(paths: readonly (readonly string[])[]): Promise<Shape[]> {
    return (await this.#query('Assets', ASSETS, { keys: paths.map((path) => ({ path })) })).list('assetNodes')
  }

  async #query(operationName: string, query: string, variables: object = {}): Promise<Shape> {
    const answer = new Shape(await this.#client.post('/graphql', { operationName, query, variables }), `Dagster: query ${operationName}`)
    const [error] = answer.optionalList('errors')
    if (error) throw new Error(`Dagster: query ${operationName} failed: ${error.text('message')} Tablinum needs Dagster 1.8 or later.`)
    return answer.object('data')
  }
}

const findUnloaded = (entry: Shape): UnloadedLocation[] => {
  const location = entry.optionalObject('locationOrLoadError')
  if (location?.text('__typename') === 'RepositoryLocation') return []
  return [{ name: entry.text('name'), reason: (location?.optionalText('message') ?? 'It is being loaded.').slice(0, MAX_REASON) }]
}

/** Errors are answers of another type. */
const expectType = (answer: Shape, type: string): Shape => {
  if (answer.text('__typename') === type) return answer
  throw new Error(`Dagster: ${answer.optionalText('message') ?? answer.text('__typename')}`)
}
