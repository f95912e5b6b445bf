import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findLockProblems } from '../../scripts/lock-problems.ts'

const readLock = () => JSON.parse(readFileSync('package-lock.json', 'utf8'))

test('the lock file is complete for every supported platform', () => {
  expect(findLockProblems(readLock())).toEqual([])
})

const ENTRY = 'node_modules/@duckdb/node-bindings-linux-arm64'

test('a package for a supported platform without integrity is rejected', () => {
  const lock = readLock()
  delete lock.packages[ENTRY].integrity
  expect(findLockProblems(lock)).toEqual([expect.stringContaining('@duckdb/node-bindings-linux-arm64@1.5.5-r.5 has no integrity')])
})

test('a missing optional package is rejected', () => {
  const lock = readLock()
  delete lock.packages[ENTRY]
  expect(findLockProblems(lock)).toEqual([expect.stringContaining('@duckdb/node-bindings-linux-arm64, an optional package of')])
})

test('a registry in the lock file is rejected', () => {
  const lock = readLock()
  lock.packages[ENTRY].resolved = 'https://registry.example/duckdb.tgz'
  expect(findLockProblems(lock)).toEqual([expect.stringContaining('names a registry')])
})

test('a package for an unsupported platform may lack its integrity', () => {
  const musl = { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] }
  const windows = { version: '1.0.0', os: ['win32'], cpu: ['x64'] }
  expect(findLockProblems({ packages: { '': {}, 'node_modules/musl': musl, 'node_modules/windows': windows } })).toEqual([])
  const anywhere = { version: '1.0.0', os: ['!win32'] }
  expect(findLockProblems({ packages: { '': {}, 'node_modules/anywhere': anywhere } })).toHaveLength(1)
})
