import type { Shape } from '../../../../connector/src/shape.ts'

const MAX_PROPERTIES = 100
const MAX_LENGTH = 500
const SECRET = /password|passwd|secret|token|credential|(access|account|private)[._-]?key|sas/i

/** Properties of a table, without what could be a secret of its writer. */
export const toProperties = (properties: Shape | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries((properties?.value as Record<string, unknown> | undefined) ?? {})
      .flatMap(([name, value]) => (typeof value === 'string' && !SECRET.test(name) ? [[name, value.slice(0, MAX_LENGTH)] as const] : []))
      .slice(0, MAX_PROPERTIES),
  )
