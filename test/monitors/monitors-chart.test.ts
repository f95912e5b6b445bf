import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { timeTicks, valueTicks } from '../../src/observability/charts/axes.ts'
import { drawChart } from '../../src/observability/charts/draw.ts'
import { newId } from '../../src/platform/core/id.ts'
import { signChartUrl } from '../../src/platform/secrets/signed-url.ts'
import { createTestApp } from '../support/test-app.ts'

const pixelsOf = (png: Buffer) => {
  expect(png.subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  let data = Buffer.alloc(0)
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data = Buffer.concat([data, png.subarray(at + 8, at + 8 + png.readUInt32BE(at))])
  const rows = inflateSync(data)
  const pixels = Buffer.alloc(width * height * 3)
  const stride = width * 3
  for (let y = 0; y < height; y += 1)
    for (let i = 0; i < stride; i += 1)
      pixels[y * stride + i] = rows[y * (stride + 1) + 1 + i]! + (y > 0 ? pixels[(y - 1) * stride + i]! : 0)
  const count = (color: readonly number[]) => {
    let n = 0
    for (let i = 0; i < pixels.length; i += 3) if (color.every((value, c) => pixels[i + c] === value)) n += 1
    return n
  }
  return { width, height, count }
}
const [RED, BLUE, BAND] = [
  [220, 38, 38],
  [37, 99, 235],
  [222, 234, 251],
]

test('a chart has a line, a band where there are limits, and a red dot for each measurement outside', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day))
  const series = Array.from({ length: 30 }, (_, i) => ({ at: at(i), value: 100 + (i % 7), lower: 90, upper: 120, outside: false }))
  const calm = pixelsOf(drawChart(series))
  expect([calm.width, calm.height, calm.count(RED!)]).toEqual([1200, 400, 0])
  expect(calm.count(BLUE!)).toBeGreaterThan(1000)
  expect(calm.count(BAND!)).toBeGreaterThan(50_000)
  const broken = pixelsOf(drawChart([...series, { at: at(30), value: 200, lower: 90, upper: 120, outside: true }]))
  expect(broken.count(RED!)).toBeGreaterThan(100)
  expect(pixelsOf(drawChart(series.map((each) => ({ ...each, lower: null, upper: null })))).count(BAND!)).toBe(0)
})

test('any numbers can be drawn', () => {
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1, i))
  for (const values of [
    [],
    [0],
    [5],
    [0, 0, 0],
    [-1e300, 1e300],
    [1e-12, 2e-12],
    [1e15, 1e15 + 1],
    [-5, 5],
    [1e308, -1e308],
    [0.1, 0.30000000000000004],
  ])
    for (const limits of [
      { lower: null, upper: null },
      { lower: null, upper: 0 },
      { lower: -1e9, upper: 1e9 },
    ])
      expect(pixelsOf(drawChart(values.map((value, i) => ({ at: at(i), value, ...limits, outside: i === 1 })))).width).toBe(1200)
})

test('axes are round numbers and full hours', () => {
  const labels = (from: number, to: number) => valueTicks(from, to, 4, '').map(({ label }) => label)
  expect(labels(0, 1)).toEqual(['0', '0.25', '0.5', '0.75', '1'])
  expect(labels(950, 1230)).toEqual(['1,000', '1,100', '1,200'])
  expect(labels(11e6, 23e6)).toEqual(['15M', '20M'])
  expect(labels(12_100, 14_000)).toEqual(['12.5k', '13k', '13.5k', '14k'])
  expect(labels(-3, 3)).toEqual(['-2', '0', '2'])
  const day = Date.UTC(2026, 1, 27)
  expect(timeTicks(day, day + 3 * 86_400_000, 7).map(({ label }) => label)).toEqual([
    '27 Feb',
    '12:00',
    '28 Feb',
    '12:00',
    '1 Mar',
    '12:00',
    '2 Mar',
  ])
})

test('a chart needs access to the monitor or a signed URL that has not expired', async () => {
  let clockOffset = 0
  await using app = await createTestApp({ now: () => new Date(Date.now() + clockOffset) })
  const closed = await app.createTeam(true)
  const table = await app.createResource({ title: 'orders', entity_type: 'table', teams: [closed] })
  const { body: monitor } = await app.call('POST', '/monitor/monitors', {
    body: { target: table.id, metric_type: 'pushed', name: 'rows', condition_manual_max: 10 },
  })
  for (const value of [5, 50]) await app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: monitor.id, value }] } })
  const path = `/monitor/monitors/${monitor.id}/chart.png`
  const response = await app.fastify.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${app.token}` } })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png'])
  expect(pixelsOf(response.rawPayload).count(RED!)).toBeGreaterThan(100)
  expect((await app.call('GET', path, { token: (await app.createUser('editor')).token })).status).toBe(404)
  expect((await app.call('GET', path, { token: null })).status).toBe(401)
  expect((await app.call('GET', `/monitor/monitors/${newId()}/chart.png`)).status).toBe(404)

  const address = (await signChartUrl(app.ctx, 'https://catalog.example.com', monitor.id)).replace('https://catalog.example.com', '')
  const open = (url: string) => app.call('GET', url, { token: null })
  expect((await open(address)).status).toBe(200)
  for (const wrong of [
    address.replace(monitor.id, newId()),
    address.replace(/exp=(\d+)/, (_, exp) => `exp=${Number(exp) + 3600}`),
    address.slice(0, -1),
    address.replace(/sig=.*/, 'sig='),
    address.replace('.png', ''),
  ])
    expect([wrong, (await open(wrong)).status]).toEqual([wrong, 404])
  expect((await open(address.replace(/exp=\d+/, 'exp=x'))).status).toBe(400)
  clockOffset = 31 * 86_400_000
  expect((await open(address)).status).toBe(404)
})
