import { expect, test } from 'vitest'
import { runFailovers } from '../reliability/run-failovers.ts'
import { skipWithoutPatroni, startPatroniCluster } from '../servers/patroni.ts'

/** More of them: `npm run reliability -- failovers`. */
test.skipIf(skipWithoutPatroni)('a failover of Patroni behind HAProxy loses nothing that was acknowledged', async () => {
  const cluster = await startPatroniCluster()
  try {
    const { wrong, acknowledged } = await runFailovers(cluster, 1)
    expect([wrong, acknowledged]).toEqual([[], expect.any(Number)])
    expect(acknowledged).toBeGreaterThanOrEqual(20)
  } finally {
    await cluster.stop()
  }
})
