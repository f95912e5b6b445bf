import { expect } from 'vitest'
import type { ConnectorDefinition, Discovered } from '../../../connector/src/define.ts'
import { isUnder } from '../../../connector/src/key-scope.ts'
import { type Cassette, type Fault, startReplay } from '../../../connector/src/replay.ts'
import { discover } from '../../support/connectors.ts'

const AT_ONCE = { 'retry-after': '0' }

/**
 * What every connector of an HTTP API has to do with an API that fails: repeat what may be repeated, and never take what it could not read for
 * deleted. Whatever else the API does when it fails is tested with the connector.
 */
export const expectFaultsHandled = async <S>(
  connector: ConnectorDefinition<S>,
  cassette: Cassette,
  toSettings: (url: string) => S,
): Promise<void> => {
  const run = async (faults: readonly Fault[] = [], state?: unknown) => {
    await using replay = await startReplay(cassette, faults)
    const paths = () => replay.requests.map((each) => each.replace(/^\w+ ([^?]*).*/, '$1'))
    try {
      const all = await discover(connector, toSettings(replay.url), undefined, state)
      const text = JSON.stringify(all.filter(({ type }) => type !== 'state')).replaceAll(replay.url, 'http://replay')
      return { found: JSON.parse(text) as Discovered[], state: all.find((each) => each.type === 'state')?.state, paths: paths() }
    } catch (error) {
      return { found: error as Error, state: undefined, paths: paths() }
    }
  }
  const whole = await run()
  if (whole.found instanceof Error) throw whole.found
  const paths = [...new Map(whole.paths.map((path) => [path.replaceAll(/[\da-f-]{8,}|\d+/g, '#'), path])).values()]
  // Each list and object is rejected once, in three ways.
  const rejections = [...new Set(whole.paths)].flatMap((path): Fault[] => [
    { path, status: 429, headers: AT_ONCE, times: 1 },
    { path, status: 429, headers: { 'retry-after': new Date().toUTCString() }, times: 1 },
    { path, status: 500, headers: AT_ONCE, times: 1 },
  ])
  expect((await run(rejections)).found).toEqual(whole.found)
  // Half-way the token loses its rights, or a rate limit allows the next request only in an hour.
  const half = Math.floor(whole.paths.length / 2)
  const inAnHour = { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }
  expect(String((await run([{ status: 401, after: half }])).found)).toMatch(/\(401\)/)
  expect(String((await run([{ status: 429, after: half, headers: inAnHour, times: 1 }])).found)).toMatch(/status 429/)
  // One list or object always fails, a proxy answers in its place, or the token may not read it.
  for (const path of paths)
    for (const fault of [
      { path, status: 500, headers: AT_ONCE },
      { path, status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' },
      { path, status: 403 },
    ]) {
      const isDenied = fault.status === 403
      const { found } = await run([fault], isDenied ? whole.state : undefined)
      if (!(found instanceof Error)) expect(findLost(whole.found, found, isDenied), `${fault.status} for ${path}`).toEqual([])
    }
}

/**
 * Messages of a complete run that are neither reported nor known to be unknown. Usage may be unknown: it stays as it was. Without a right, items are
 * there, but what another object adds to them may not be: names of databases, lineage, addresses of owners.
 */
const findLost = (whole: readonly Discovered[], found: readonly Discovered[], itemsOnly: boolean): string[] => {
  const unlisted = found.flatMap((each) => (each.type === 'unlisted' ? each : []))
  if (found.some(({ type }) => type === 'incremental')) return []
  const types = new Map(whole.flatMap((each) => (each.type === 'item' ? [[each.key, each.entity_type] as const] : [])))
  const isUnknown = (key: string) =>
    unlisted.some((each) => (each.key === undefined ? each.entity_type === types.get(key) : isUnder(key, each.key)))
  const describe = (each: Discovered): string => {
    if (itemsOnly && each.type === 'item') return each.key
    return JSON.stringify({ ...each, usage: undefined, version: undefined, contiguous: undefined })
  }
  const reported = new Set(found.map(describe))
  return whole
    .filter((each) => {
      if (each.type === 'item') return !isUnknown(each.key)
      if (each.type === 'lineage') return !itemsOnly && !isUnknown(each.to)
      return each.type === 'flow' && !itemsOnly && !isUnknown(each.job)
    })
    .map(describe)
    .filter((each) => !reported.has(each))
}
