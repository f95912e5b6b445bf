import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Connector, Source } from '../connectors/shared/connector.ts'
import { isContainer, parsePatterns } from '../connectors/shared/patterns.ts'
import { getIntegrationType } from '../credentials/types.ts'
import type { Item } from '../sync/item.ts'
import { loadSource, requireConnector, toPublicError } from './connector-for.ts'
import { getIntegrationRow, type IntegrationRow } from './integration-rows.ts'
import type { IntegrationCreate, PatternMatches, PatternQuery } from './schema.ts'
import { buildUnsavedRow } from './unsaved-row.ts'

const MAX_NAMES = 5_000
const MAX_MS = 30_000

/** Lists the source now, and which of its tables, dashboards or jobs the patterns would include. Writes nothing. */
export const matchPatterns = async (ctx: Context, id: string, patterns: PatternQuery): Promise<PatternMatches> => {
  requirePermission(ctx.actor, 'integrations.manage')
  return listMatches(ctx, await getIntegrationRow(ctx, id), patterns)
}

/** The same before the integration is saved, with the patterns of the request. */
export const matchNewPatterns = async (ctx: Context, create: IntegrationCreate): Promise<PatternMatches> => {
  requirePermission(ctx.actor, 'integrations.manage')
  return listMatches(ctx, await buildUnsavedRow(ctx, create), {})
}

const listMatches = async (ctx: Context, row: IntegrationRow, patterns: PatternQuery): Promise<PatternMatches> => {
  const connector = requireConnector(row)
  const { fields, label } = getIntegrationType(row.type)
  if (!fields.some(({ name }) => name === 'include'))
    throw new ApiError('validation_failed', translatable('{label} has no include and exclude patterns.', { label }))
  const source = await loadSource(ctx, row)
  const { include: _, exclude: __, ...credentials } = source.credentials
  try {
    const { names, complete } = await listNames(ctx, connector, { ...source, credentials })
    const { matches } = parsePatterns(withPatterns(source, patterns))
    const results = names.map(({ path, entity_type }) => ({
      name: path.join('.'),
      path: [...path],
      entity_type,
      included: matches(...path),
    }))
    const included = results.filter((each) => each.included).length
    return { included, excluded: results.length - included, complete, names: results }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('validation_failed', toPublicError(row, source, `Could not list the source: ${(error as Error).message}`))
  }
}

/** Patterns that are not given are those of the integration. */
const withPatterns = (source: Source, { include, exclude }: PatternQuery): Source => ({
  ...source,
  credentials: {
    ...source.credentials,
    ...(include === undefined ? {} : { include: include ?? '' }),
    ...(exclude === undefined ? {} : { exclude: exclude ?? '' }),
  },
})

interface ListedName {
  readonly path: readonly string[]
  readonly entity_type: string
}

/** The first names of the source, as far as they are listed in the time there is. */
const listNames = async (
  ctx: Context,
  connector: Connector,
  source: Source,
): Promise<{ names: readonly ListedName[]; complete: boolean }> => {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new DOMException('The time is over.', 'TimeoutError')), MAX_MS)
  const names = new NameCollector()
  try {
    const context = { signal: stop.signal, log: async () => {}, ctx, only_names: true }
    for await (const item of connector.discover(source, context)) if (!names.add(item)) return { names: names.found, complete: false }
    return { names: names.found, complete: true }
  } catch (error) {
    if (stop.signal.aborted && names.found.length > 0) return { names: names.found, complete: false }
    throw error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** Names from the outermost container down to what patterns match: everything that is not inside another such thing. */
class NameCollector {
  readonly found: ListedName[] = []
  readonly #containers = new Map<string, readonly string[]>()

  /** False once there are too many. */
  add({ key, parent, entity_type, fields: { title } }: Item): boolean {
    const above = parent === undefined ? [] : this.#containers.get(parent)
    const executed = entity_type === 'query' && parent === undefined // of the query history
    if (!above || executed) return true
    const path = [...above, title]
    if (isContainer(entity_type)) this.#containers.set(key, path)
    else if (this.found.length < MAX_NAMES) this.found.push({ path, entity_type })
    else return false
    return true
  }
}
