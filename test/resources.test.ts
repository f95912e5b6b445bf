import { expect, test } from 'vitest'
import { aHouse } from './house.ts'

test('a created resource is read back as it was answered', async () => {
  await using house = await aHouse()
  const created = await house.call('POST', '/resource/catalog', { body: { title: 'orders' } })
  expect(created.status).toBe(201)
  const read = await house.call('GET', `/resource/all/${created.body.id}`)
  expect(read.body).toEqual(created.body)
})
