import { expect, test } from 'vitest'
import { newId, parseId } from './id.ts'

test('new IDs are unique and increasing', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids.slice(0, 100)) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('accepts an ID with or without dashes in any case, and rejects anything else', () => {
  const id = newId()
  for (const text of [id, id.toUpperCase(), id.replaceAll('-', '')]) expect(parseId(text)).toBe(id)
  for (const text of ['', id.slice(1), `${id}0`, `${id}\n`, id.replace('-', '_')]) expect(parseId(text)).toBeUndefined()
})
