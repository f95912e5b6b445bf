import { type ConnectorDefinition, type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { HttpError } from '../../../../connector/src/http.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { DriftError } from '../../../../connector/src/shape.ts'
import { findUnchanged, withVersion } from '../bi/versions.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import type { PatternSettings } from '../stores/settings.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { openDeltaTable } from './delta-table.ts'
import { type FoundFolder, findTables } from './find-tables.ts'
import { openIcebergTable } from './iceberg-files.ts'
import type { OpenTable } from './open-table.ts'
import { DeniedError, NotFoundError, type Storage, TableError } from './storage.ts'

const ROOT = 'lake'
const MAX_TESTED = 100
/** Each can have a part of a checkpoint in memory. */
const CONCURRENT_TABLES = 2

interface LakeOptions<S> {
  readonly name: string
  readonly label: string
  readonly settings: SettingsSchema
  readonly grants: string
  open(context: RunContext<S>): Storage | Promise<Storage>
}

/** Tables of Delta Lake and Iceberg that are files in a storage, without a catalog. */
export const defineLake = <S extends PatternSettings>({ open, ...described }: LakeOptions<S>): ConnectorDefinition<S> =>
  defineConnector<S>({
    ...described,
    version: '1.0.0',

    test: async (context) => {
      const storage = await open(context)
      const tables: FoundFolder[] = []
      for await (const found of explainMissing(storage, findTables(storage))) if (tables.push(found) > MAX_TESTED) break
      const [first] = tables.filter((each) => 'format' in each)
      // Listing and reading are two rights: a table shows whether both are there.
      if (first) await openTable(storage, first, context.log, (table) => table.read()).catch(ignoreDamage)
      const count = (format: string) => tables.filter((each) => 'format' in each && each.format === format).length
      const counted = tables.length > MAX_TESTED ? `more than ${MAX_TESTED} tables` : undefined
      return `Connected to ${storage.locate('')}: ${counted ?? `${count('delta')} Delta tables, ${count('iceberg')} Iceberg tables`}.`
    },

    async *discover(context) {
      const storage = await open(context)
      const patterns = compilePatterns(context.settings.include, context.settings.exclude)
      yield toContainerItem(ROOT, {
        entity_type: 'database',
        native_type: 'lake',
        title: storage.title,
        facts: { location: storage.locate('') },
      })
      async function* listWanted() {
        for await (const found of explainMissing(storage, findTables(storage)))
          if ('denied' in found || patterns.matches(...toNames(storage, found.path))) yield found
      }
      const schemas = new Set<string>()
      let done = 0
      for await (const { path, messages } of mapConcurrently(listWanted(), CONCURRENT_TABLES, (found) =>
        readFolder(storage, found, context),
      )) {
        const schema = path.slice(0, Math.max(0, path.lastIndexOf('/')))
        // A schema whose tables cannot be read is still there.
        if (messages.length > 0 && schema !== '' && !schemas.has(schema)) {
          schemas.add(schema)
          yield toContainerItem(toKey(storage, schema), { entity_type: 'schema', native_type: 'folder', title: schema, parent: ROOT })
        }
        yield* messages
        done += 1
        await context.progress(done, done)
      }
    },
  })

/** A table at the prefix itself is named by the last part of it. */
const toNames = (storage: Storage, path: string): string[] => (path === '' ? [storage.title.split('/').at(-1)!] : path.split('/'))

/** A folder is part of the keys of what is in it: what may not be listed of it is not treated as missing. */
const toKey = (storage: Storage, path: string): string => nameKey(ROOT, ...toNames(storage, path))

async function* explainMissing(storage: Storage, found: AsyncGenerator<FoundFolder, void>): AsyncGenerator<FoundFolder, void> {
  try {
    yield* found
  } catch (error) {
    if (error instanceof NotFoundError) throw new Error(`${storage.locate('')} does not exist.`)
    throw error
  }
}

const readFolder = async (
  storage: Storage,
  found: FoundFolder,
  { log, versions }: Pick<RunContext, 'log' | 'versions'>,
): Promise<{ path: string; messages: readonly Discovered[] }> => {
  const { path } = found
  const key = toKey(storage, path)
  const unlisted = (reason: string): Discovered[] => [
    { type: 'unlisted', key, reason: `${storage.locate(path)}: ${reason} What is known of it stays as it is.` },
  ]
  if ('denied' in found) return { path, messages: unlisted(found.denied) }
  try {
    const names = toNames(storage, path)
    const parent = names.length > 1 ? toKey(storage, names.slice(0, -1).join('/')) : ROOT
    const messages = await openTable(storage, found, log, async ({ version, read }): Promise<readonly Discovered[]> => {
      const unchanged = findUnchanged({ versions }, key, version, parent)
      return unchanged ? [unchanged] : withVersion(toTableItems(key, { ...(await read()), title: names.at(-1)!, parent }), key, version)
    })
    return { path, messages: messages ?? [] }
  } catch (error) {
    if (!concernsOnlyTable(error)) throw error
    return { path, messages: unlisted((error as Error).message) }
  }
}

/** A sync reports it. */
const ignoreDamage = (error: unknown): void => {
  if (!(error instanceof DriftError || error instanceof NotFoundError || error instanceof TableError)) throw error
}

const concernsOnlyTable = (error: unknown): boolean =>
  [DeniedError, DriftError, NotFoundError, TableError].some((each) => error instanceof each) ||
  (error instanceof HttpError && error.status >= 500)

/** Files of a log or old metadata are deleted while tables are used: what is gone is listed once again. Undefined if the table is gone. */
const openTable = async <T>(
  storage: Storage,
  found: Extract<FoundFolder, { format: string }>,
  log: (line: string) => unknown,
  use: (table: OpenTable) => Promise<T>,
): Promise<T | undefined> => {
  const open = async () => {
    const table = await (found.format === 'delta' ? openDeltaTable(storage, found.path, log) : openIcebergTable(storage, found.path))
    return table && use(table)
  }
  try {
    return await open()
  } catch (error) {
    if (error instanceof NotFoundError) return open()
    throw error
  }
}
