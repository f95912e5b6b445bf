import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/platform/db/connect.ts'
import { findInconsistencies } from '../faults/consistency.ts'
import { startTestServer } from '../faults/server.ts'
import { WriteLoad } from '../faults/write-load.ts'
import type { PatroniCluster } from '../servers/patroni.ts'

const GIVE_UP_MS = 180_000

const waitFor = async <T>(what: string, find: () => Promise<T | undefined>): Promise<T> => {
  for (const giveUp = performance.now() + GIVE_UP_MS; performance.now() < giveUp; await sleep(50)) {
    const found = await find().catch(() => undefined)
    if (found !== undefined) return found
  }
  throw new Error(`Waited in vain for ${what}.`)
}

export interface FailoverResult {
  readonly acknowledged: number
  readonly wrong: string[]
  /** Milliseconds from each kill to the next acknowledged write. */
  readonly outages: number[]
}

/** Kills the primary again and again while one server writes through the proxy and reads from the replicas. */
export const runFailovers = async (cluster: PatroniCluster, failovers: number, interrupt?: AbortSignal): Promise<FailoverResult> => {
  const load = new WriteLoad()
  const outages: number[] = []
  await waitFor('a synchronous standby', cluster.findPrimary)
  await using server = await startTestServer({ DATABASE_URL: cluster.url, DATABASE_REPLICA_URL: cluster.nodeUrls.join(',') })
  for (let i = 0; i < failovers && !interrupt?.aborted; i += 1) {
    const primary = await waitFor('a synchronous standby', cluster.findPrimary)
    const writing = load.writeTo(server, 4).catch((error: Error) => {
      if (!error.message.includes(': 503')) throw error // only while there is no primary
    })
    const before = load.acknowledged
    await Promise.race([
      waitFor('writes', async () => load.acknowledged >= before + 20 || undefined),
      writing.then(() => Promise.reject(new Error('The writers stopped before the kill.'))),
    ])
    const killedAt = performance.now()
    await cluster.killPrimary(primary)
    await writing
    await waitFor('a write', async () => {
      const { status } = await server.call('POST', '/resource/catalog', { title: 'probe', entity_type: 'table' })
      return status === 201 || undefined
    })
    outages.push(performance.now() - killedAt)
    // Another connection may have to be replaced first; once there is a list, nothing acknowledged may be missing in it.
    const { status, body } = await waitFor('a list', async () => {
      const response = await server.call('GET', '/resource/catalog?page_size=1')
      return response.status === 503 ? undefined : response
    })
    if (status !== 200 || body.count < load.acknowledged)
      throw new Error(`The list after failover ${i + 1}: ${status}, ${body.count} resources of ${load.acknowledged}.`)
  }
  const { db, close } = connect(cluster.url, { poolSize: 2 })
  const wrong = await findInconsistencies(db, load)
  await close()
  return { acknowledged: load.acknowledged, wrong, outages }
}
