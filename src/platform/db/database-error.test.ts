import { expect, test } from 'vitest'
import { markDatabaseError, wasRolledBack } from './database-error.ts'
import { isConnectionLost } from './driver.ts'

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

/** A connection that has not noticed yet that the server has closed it. */
const open = { _queryable: true, connection: { stream: { destroyed: false } } } as unknown as Parameters<typeof isConnectionLost>[1]

test.each([
  ['a shutdown', '57P01', true],
  ['idle in a transaction for too long', '25P03', true],
  ['a transaction that took too long', '25P04', true],
  ['too many connections', '53300', true],
  ['a wrong password', '28P01', true],
  ['a rejected value', '23514', false],
  ['a failed transaction', '25P02', false],
])('whether the connection is lost, whatever the language of the server: %s', (_, code, expected) => {
  for (const severity of ['FATAL', 'SCHWERWIEGEND', 'ERROR', 'FEHLER'])
    expect([severity, isConnectionLost(Object.assign(new Error(), { code, severity }), open)]).toEqual([severity, expected])
})
