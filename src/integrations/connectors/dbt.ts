import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { ArtifactError } from '../../dbt/project.ts'
import { ARTIFACTS, MOST_BYTES, readProject } from '../../dbt/reader.ts'
import { keepArtifacts, pack } from '../../dbt/store.ts'
import { type DbtSync, discoverProject, finishProject } from '../../dbt/sync.ts'
import { readId } from '../../id.ts'
import { type Connector, type Source, textOf, type Visit } from './connector.ts'
import { fetchFile } from './fetch.ts'
import { findFile } from './files.ts'

/** A dbt project from its artifacts: read from a folder or URL, or the last uploaded ones. */
export const dbtConnector: Connector = {
  test: async (source, signal) => {
    if (!pulls(source)) return 'Waiting for artifacts to be uploaded.'
    const { name, tables, tests, dbt_version } = await readProject(await fetchArtifacts(source, signal))
    return `dbt ${dbt_version ?? ''}, project ${name}: ${tables.length} models, seeds, snapshots and sources, ${tests.length} tests.`
  },

  async *discover(source, visit) {
    const ctx = catalogOf(visit)
    if (pulls(source)) {
      const files = await fetchArtifacts(source, visit.signal)
      await keepArtifacts(ctx, source.id, files, await readProject(files))
    }
    yield* discoverProject(ctx, syncOf(source, visit))
  },

  finish: (source, visit) => finishProject(catalogOf(visit), syncOf(source, visit)),
}

const catalogOf = ({ ctx }: Visit): Context => {
  if (!ctx) throw new Error('The dbt connector needs the catalog.')
  return ctx
}

/** Reads the artifacts from a folder or URL instead of waiting for uploads. */
export const pulls = (source: Pick<Source, 'credentials'>): boolean => Boolean(source.credentials.path || source.credentials.url)

const syncOf = (source: Source, { say, moved }: Visit): DbtSync => {
  const warehouse = textOf(source, 'warehouse')
  return { integration: source.id, ...(warehouse ? { warehouse: readId(warehouse) ?? warehouse } : {}), say, ...(moved && { moved }) }
}

const fetchArtifacts = async (source: Source, signal: AbortSignal): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>()
  const url = textOf(source, 'url')
  for (const name of ARTIFACTS) {
    const required = name === 'manifest.json'
    const bytes = url ? await download(source, url, name, signal) : await readInFolder(source, name, required)
    if (!bytes && required) throw new ArtifactError(name, 'was not found at this URL.')
    if (bytes) files.set(name, await pack(bytes))
  }
  return files
}

const readInFolder = async (source: Source, name: string, required: boolean): Promise<Uint8Array | undefined> => {
  try {
    const file = await findFile({ ...source, credentials: { path: join(textOf(source, 'path')!, name) } })
    const bytes = await readFile(file)
    if (bytes.length > MOST_BYTES) throw new ArtifactError(name, `is larger than ${MOST_BYTES / 1024 / 1024} MB.`)
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
  return fetchFile(address, { token: textOf(source, 'token'), most: MOST_BYTES, signal, allow: source.allow ?? [] })
}
