import { expect, test } from 'vitest'
import { markDatabaseError, wasRolledBack } from './database-error.ts'

test.each([
  ['a rejected value', { code: '23514', severity: 'ERROR' }, true],
  ['a rejected value, in German', { code: '23514', severity: 'FEHLER' }, true],
  ['a time limit', { code: '57014', severity: 'ERROR' }, true],
  ['a shutdown', { code: '57P01', severity: 'FATAL' }, false],
  ['a crash of another server process', { code: '57P02', severity: 'WARNUNG' }, false],
  ['a connection that the server has lost', { code: '08006', severity: 'FATAL' }, false],
  ['a connection that broke', { code: 'CONNECTION_FAILED' }, false],
  ['a socket that was closed', { code: 'EPIPE' }, false],
  ['no code', {}, false],
])('whether a statement was rolled back: %s', (_, fields, expected) => {
  expect(wasRolledBack(markDatabaseError(Object.assign(new Error(), fields)))).toBe(expected)
  expect(wasRolledBack(Object.assign(new Error('not of the database'), fields))).toBe(false)
})
