import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The import map, lowest level first: a module may import the modules before it and nothing after it. Routes (`*routes.ts`) may also import
 * `http`; the entry points assemble the modules, so they may import all.
 */
const ORDER = [
  [
    'errors',
    'config',
    'outbound',
    'id',
    'etag',
    'timestamp',
    'cache',
    'connection-budget',
    'runtime',
    'wire',
    'sql',
    'sql-defects',
    'monitors/thresholds',
  ],
  ['db'],
  ['queue'],
  ['access/permissions', 'access/actors', 'access/tokens'],
  ['context'],
  ['lists'],
  ['history'],
  ['access'],
  ['jobs'],
  ['integrations/register', 'integrations/keyring', 'integrations/secrets'],
  ['properties/value-types', 'properties/store', 'properties/value-store', 'properties/fields', 'properties/kept'], // used as fields of a resource
  ['resources'],
  ['properties'],
  ['lineage'],
  ['tags'],
  ['search'],
  ['notify'],
  ['sync'],
  ['dbt', 'openlineage/withdraw', 'openlineage/store', 'openlineage/flows'],
  ['integrations'],
  ['dbt/upload', 'dbt/routes', 'openlineage'], // routes of push integrations
  ['profiles'],
  ['monitors'],
  ['transfer'],
  ['backup'],
  ['demo'],
  ['sessions', 'views'],
  ['ui'],
]
const ALONE = ['sql', 'errors', 'config', 'monitors/thresholds'] // import no other module
// `runtime` names a class of nearly every module, because it lists the resources of the process; modules only use its type.
const FRONT = ['server', 'start', 'more-processes', 'app', 'tasks', 'cli', 'runtime', 'runtime-metrics', 'worker-app']
const HTTP_USES = ['db', 'queue', 'access', 'context', 'lists', 'errors', 'id', 'etag', 'network', 'runtime', 'wire']

const pathOf = (file: string): string => relative('src', file).replace(/\.ts$/, '')
/** The most specific entry of the map for a file: `access/permissions`, otherwise `access`. */
const placeOf = (file: string): string =>
  ORDER.flat().find((place) => place.includes('/') && `${pathOf(file)}/`.startsWith(`${place}/`)) ?? pathOf(file).split('/')[0]!
const levelOf = (place: string): number => ORDER.findIndex((level) => level.includes(place))
const isDoor = (file: string): boolean => /(routes|doors|watch)\.ts$/.test(file)

test('modules import only modules of lower levels', () => {
  const wrong: string[] = []
  for (const file of globSync('src/**/*.ts')) {
    const place = placeOf(file)
    if (file.endsWith('.test.ts') || FRONT.includes(place)) continue
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const used = placeOf(relative('.', resolve(dirname(file), path)))
      const room = used.split('/')[0]!
      const sameRoom = room === place.split('/')[0] && place === used
      const below = levelOf(place) > levelOf(used) || (levelOf(place) === levelOf(used) && !ALONE.includes(place))
      const allowed = place === 'http' ? room === 'http' || HTTP_USES.includes(room) : room === 'http' ? isDoor(file) : sameRoom || below
      if (!allowed || (place !== 'http' && levelOf(place) < 0)) wrong.push(`${file} must not import ${used}`)
    }
  }
  expect(wrong).toEqual([])
})
