import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseId } from '../../platform/core/id.ts'
import {
  type Connector,
  type DiscoveryContext,
  getTextCredential,
  requireCatalogContext,
  type Source,
} from '../connectors/shared/connector.ts'
import { fetchFile } from '../connectors/shared/fetch.ts'
import { resolveSourceFile } from '../connectors/shared/files.ts'
import { compress, saveArtifacts } from './dbt-rows.ts'
import { ArtifactError } from './project.ts'
import { ARTIFACT_FILES, MAX_ARTIFACT_BYTES, readProject } from './reader.ts'
import { applyProjectToOthers, type DbtSync, discoverProject } from './sync.ts'

/** A dbt project from its artifacts: read from a folder or URL, or the last uploaded ones. */
export const dbtConnector: Connector = {
  test: async (source, signal) => {
    if (!fetchesArtifacts(source)) return 'Waiting for artifacts to be uploaded.'
    const { name, tables, tests, dbt_version } = await readProject(await fetchArtifacts(source, signal), source.fileThreads!)
    return `dbt ${dbt_version ?? ''}, project ${name}: ${tables.length} models, seeds, snapshots and sources, ${tests.length} tests.`
  },

  async *discover(source, context) {
    const ctx = requireCatalogContext(context)
    if (fetchesArtifacts(source)) {
      const files = await fetchArtifacts(source, context.signal)
      await saveArtifacts(ctx, source.id, files, await readProject(files, ctx.runtime.fileThreads))
    }
    yield* discoverProject(ctx, toDbtSync(source, context))
  },

  finish: (source, context) => applyProjectToOthers(requireCatalogContext(context), toDbtSync(source, context)),
}

/** Reads the artifacts from a folder or URL instead of waiting for uploads. */
export const fetchesArtifacts = (source: Pick<Source, 'credentials'>): boolean => Boolean(source.credentials.path || source.credentials.url)

export const toDbtSync = (source: Source, { log, markMoved }: DiscoveryContext): DbtSync => {
  const warehouse = getTextCredential(source, 'warehouse')
  return {
    integration: source.id,
    ...(warehouse ? { warehouse: parseId(warehouse) ?? warehouse } : {}),
    log,
    ...(markMoved && { markMoved }),
  }
}

const fetchArtifacts = async (source: Source, signal: AbortSignal): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>()
  const url = getTextCredential(source, 'url')
  for (const name of ARTIFACT_FILES) {
    const required = name === 'manifest.json'
    const bytes = url ? await download(source, url, name, signal) : await readFromFolder(source, name, required)
    if (!bytes && required) throw new ArtifactError(name, 'was not found at this URL.')
    if (bytes) files.set(name, await compress(bytes))
  }
  return files
}

const readFromFolder = async (source: Source, name: string, required: boolean): Promise<Uint8Array | undefined> => {
  try {
    const file = await resolveSourceFile({ ...source, credentials: { path: join(getTextCredential(source, 'path')!, name) } })
    const bytes = await readFile(file)
    if (bytes.length > MAX_ARTIFACT_BYTES) throw new ArtifactError(name, `is larger than ${MAX_ARTIFACT_BYTES / 1024 / 1024} MB.`)
    return bytes
  } catch (error) {
    if (required || error instanceof ArtifactError) throw error
    return undefined
  }
}

/** The URL of their folder, or of the manifest itself. */
const download = (source: Source, url: string, name: string, signal: AbortSignal): Promise<Uint8Array | undefined> => {
  if (!URL.canParse(url)) throw new Error('The URL must start with https:// or http://.')
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/(manifest\.json)?\/*$/, '').replace(/\/+$/, '')}/${name}`
  const [token, ca] = [getTextCredential(source, 'token'), getTextCredential(source, 'ca')]
  return fetchFile(address, { token, ca, maxBytes: MAX_ARTIFACT_BYTES, signal, allow: source.allow ?? [] })
}
