import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from '../reliability/fault-kinds.ts'
import { runFault, startFaultPostgres } from '../reliability/fault-site.ts'

/** Faults that no other test has. More of them, and others: `npm run reliability -- faults`. */
let postgres: Awaited<ReturnType<typeof startFaultPostgres>>
beforeAll(async () => {
  postgres = await startFaultPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

for (const name of ['disk full', 'clock jumps'])
  test(`${name} under writes: what was acknowledged is there, nothing is half done, and writes succeed again`, async ({ skip }) => {
    const fault = FAULTS.find((each) => each.name === name)!
    const missing = await fault.unavailable?.()
    skip(missing !== undefined, missing)
    const { wrong, acknowledged, rejected, recovery } = await runFault(postgres, { ...fault, ms: 1_000 }, 2)
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(60)
    expect(recovery).toHaveLength(2)
    if (name === 'disk full') expect(rejected).toBeGreaterThan(0)
  })
