import { once } from 'node:events'
import { expect, test } from 'vitest'
import { analyse, type Defect } from './analyse.ts'

const SQL = "insert into a select * from b where name = 'Erika Mustermann'"
const broken = () => {
  throw new TypeError('a bug')
}

test('an error of the engine itself is reported, with the hash of the text and without the text', () => {
  const defects: Defect[] = []
  const analysis = analyse(SQL, { dialect: 'postgres', columnsOf: broken, onDefect: (defect) => defects.push(defect) })
  expect(analysis.incomplete).toBe('internal')
  expect(defects).toEqual([{ error: expect.any(TypeError), text_hash: expect.stringMatching(/^[0-9a-f]{16}$/), dialect: 'postgres' }])
})

test('where nobody receives it, it is a warning of the process', async () => {
  const warned = once(process, 'warning')
  analyse(SQL, { dialect: 'postgres', columnsOf: broken })
  const [warning] = await warned
  expect(warning).toMatchObject({ name: 'SqlEngineDefect', message: expect.stringMatching(/postgres text [0-9a-f]{16}\.$/) })
  expect(`${warning.message} ${warning.detail}`).not.toContain('Erika')
  expect(warning.detail).toContain('a bug')
})

test('what is only too deep or too long is no defect', () => {
  const onDefect = () => expect.unreachable()
  expect(analyse(`select ${'('.repeat(50_000)}1`, { dialect: 'postgres', onDefect }).incomplete).not.toBe('internal')
})
