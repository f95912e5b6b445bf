import { once } from 'node:events'
import { expect, test } from 'vitest'
import { analyse, type Defect } from './analyse.ts'

const SQL = "insert into a select * from b where name = 'Erika Mustermann'"
const broken = () => {
  throw new TypeError('a bug')
}

test('reports an internal error with the hash of the text, not the text itself', () => {
  const defects: Defect[] = []
  const analysis = analyse(SQL, { dialect: 'postgres', columnsOf: broken, onDefect: (defect) => defects.push(defect) })
  expect(analysis.incomplete).toBe('internal')
  expect(defects).toEqual([{ error: expect.any(TypeError), text_hash: expect.stringMatching(/^[0-9a-f]{16}$/), dialect: 'postgres' }])
})

test('emits a process warning when there is no handler', async () => {
  const warned = once(process, 'warning')
  analyse(SQL, { dialect: 'postgres', columnsOf: broken })
  const [warning] = await warned
  expect(warning).toMatchObject({ name: 'SqlEngineDefect', message: expect.stringMatching(/postgres text with hash [0-9a-f]{16}\.$/) })
  expect(`${warning.message} ${warning.detail}`).not.toContain('Erika')
  expect(warning.detail).toContain('a bug')
})

test('text that is too deep or too long is not a defect', () => {
  const onDefect = () => expect.unreachable()
  expect(analyse(`select ${'('.repeat(50_000)}1`, { dialect: 'postgres', onDefect }).incomplete).not.toBe('internal')
})
