import type { ConnectorDefinition, Discovered } from '../../connector/src/define.ts'
import { parseMessage, RunChecker } from '../../connector/src/protocol.ts'
import type { TestApp } from './test-app.ts'

/** Everything a connector discovers, without starting a process. Every message follows the protocol. */
export const discoverAll = async <S>(
  connector: ConnectorDefinition<S>,
  settings: S,
  versions: ReadonlyMap<string, string> = new Map(),
): Promise<Discovered[]> => (await discover(connector, settings, versions)).filter((each) => each.type !== 'state')

export const discover = async <S>(
  connector: ConnectorDefinition<S>,
  settings: S,
  versions: ReadonlyMap<string, string> = new Map(),
  state?: unknown,
): Promise<Discovered[]> => {
  const context = { settings, allowedHosts: ['127.0.0.1'], state, versions, log: async () => {}, progress: async () => {} }
  const found: Discovered[] = []
  const checker = new RunChecker({ versions: Object.fromEntries(versions) })
  for await (const each of connector.discover(context)) {
    found.push(each)
    if (each.type !== 'incremental') checker.check(parseMessage(JSON.stringify(each), found.length), found.length)
  }
  return found
}

/** A run of a connector with what the one before left, and all that is known after it. */
export interface NextRun {
  readonly found: readonly Discovered[]
  readonly unchanged: readonly string[]
  readonly versions: ReadonlyMap<string, string>
  readonly state: unknown
  /** Items and lineage, in order of their keys: those of this run, and of the one before what is unchanged. */
  readonly catalog: readonly string[]
}

export const discoverNext = async <S>(connector: ConnectorDefinition<S>, settings: S, last?: NextRun): Promise<NextRun> => {
  const found = await discover(connector, settings, last?.versions ?? new Map(), last?.state)
  const unchanged = found.flatMap((each) => (each.type === 'unchanged' ? [each.key] : []))
  const isUnchanged = (key: string) => unchanged.some((each) => key === each || key.startsWith(`${each}.`))
  const describe = (each: Discovered): string[] => {
    if (each.type === 'item') return [`${each.key} ${JSON.stringify({ ...each, version: undefined, contiguous: undefined })}`]
    if (each.type === 'lineage') return [`${each.to} ${JSON.stringify(each)}`]
    return each.type === 'flow' ? [`${each.job} ${JSON.stringify(each)}`] : []
  }
  const known = (last?.found ?? []).filter((each) => isUnchanged(each.type === 'item' ? each.key : each.type === 'lineage' ? each.to : ''))
  const all = [...found.filter((each) => each.type !== 'unchanged'), ...known]
  return {
    found: all,
    unchanged,
    versions: listVersions(all),
    state: found.find((each) => each.type === 'state')?.state ?? last?.state,
    catalog: all.flatMap(describe).sort(),
  }
}

/** What a run reported, for the next one. */
export const listVersions = (found: readonly Discovered[]): Map<string, string> =>
  new Map(found.flatMap((each) => (each.type === 'item' && each.version !== undefined ? [[each.key, each.version] as const] : [])))

/** The titles of what flows directly into a resource. */
export const listUpstream = async (app: Pick<TestApp, 'call'>, id: string, level: 'table' | 'column'): Promise<string[]> => {
  const { body } = await app.call('GET', `/lineage/graph?resource_id=${id}&direction=UPSTREAM&depth=1&level=${level}`)
  return body.nodes.flatMap(({ id: node, title }: { id: string; title: string }) => (node === id ? [] : title)).sort()
}

/** The resource that an integration reported with this key. */
export const findByKey = async (app: Pick<TestApp, 'call'>, integration: string, key: string) => {
  const conditions = [
    { operator: 'exact', field: 'integration', value: integration },
    { operator: 'exact', field: 'databuilder_id', value: key },
  ]
  const { body } = await app.call(
    'GET',
    `/resource/catalog?filter=${encodeURIComponent(JSON.stringify({ operator: 'and', operands: conditions }))}`,
  )
  if (body.count !== 1) throw new Error(`${key}: ${JSON.stringify(body).slice(0, 500)}`)
  return body.results[0]
}

/** Keys, with what flows into them: `chart/1 < shop.public.orders(price)`. */
export const describeLineage = (found: readonly Discovered[]): string[] =>
  found.flatMap((each) =>
    each.type !== 'lineage'
      ? []
      : each.from.map((source) => {
          const name = 'item' in source ? source.item : source.table.join('.')
          return `${source.into ?? each.to} < ${name}(${(source.columns ?? []).join(', ')})`
        }),
  )

/** `name: type` of the columns below a table, in order; the names of nested ones begin with those they are in. */
export const listColumnTypes = (found: readonly Discovered[], table: string): string[] =>
  found.flatMap((each) =>
    each.type === 'item' && each.entity_type === 'column' && each.key.startsWith(`${table}.`)
      ? `${each.key.slice(table.length + 1)}: ${each.native_type}`
      : [],
  )
