import { readFileSync } from 'node:fs'
import { globSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The import map of the house: what each room may use, besides itself. Imports run one way. */
const BASE = ['errors', 'config', 'id', 'etag', 'wire', 'memory']
const DOORS = ['http', 'queue']
const MAP: Record<string, readonly string[]> = {
  sql: [],
  errors: [],
  config: [],
  id: [],
  etag: [],
  memory: [],
  wire: ['id'],
  db: BASE,
  queue: [...BASE, 'db'],
  access: [...BASE, 'db', 'queue', 'context', 'history', 'lists'],
  context: [...BASE, 'db', 'access'],
  lists: [...BASE, 'db', 'context', 'access'],
  history: [...BASE, 'db', 'queue', 'access', 'context', 'lists'],
  integrations: [...BASE, 'db', 'queue', 'access', 'context', 'history', 'lists'],
  resources: [...BASE, 'db', 'queue', 'access', 'context', 'history', 'lists', 'integrations'],
  search: [...BASE, 'db', 'queue', 'access', 'context', 'history', 'lists', 'resources'],
  jobs: [...BASE, 'db', 'queue', 'access', 'context'],
  demo: [...BASE, 'db', 'access', 'context', 'history', 'resources', 'jobs'],
  monitors: [...BASE],
  http: [...BASE, 'db', 'access', 'context'],
}
/** The front doors put the rooms together, so they may use all of them. */
const FRONT = ['server', 'start', 'app', 'tasks', 'cli']

const roomOf = (file: string): string => relative('src', file).replace(/\.ts$/, '').split('/')[0]!

test('imports run one way', () => {
  const wrong: string[] = []
  for (const file of globSync('src/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue
    const room = roomOf(file)
    if (FRONT.includes(room)) continue
    const allowed = MAP[room]
    if (!allowed) wrong.push(`${file}: the room ${room} is not on the map`)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const used = roomOf(relative('.', resolve(dirname(file), path)))
      if (used === room || allowed?.includes(used) || (used === 'http' && DOORS.includes(used))) continue
      wrong.push(`${file} may not use ${used}`)
    }
  }
  expect(wrong).toEqual([])
})
