/** Checks of single values; the problem they return continues a sentence about the field. Pure. */

export type Check = (value: unknown) => string | undefined
export const text =
  (max: number): Check =>
  (value) =>
    typeof value !== 'string' || value === ''
      ? 'must be text'
      : value.length > max
        ? `must not be longer than ${max} characters`
        : undefined
export const anyText: Check = (value) => (typeof value === 'string' ? undefined : 'must be text')
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value)
export const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    const wrong = value.findIndex((each) => check(each) !== undefined)
    return wrong < 0 ? undefined : `[${wrong}] ${check(value[wrong])}`
  }
export const number: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number of at least 0'
export const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
export const time: Check = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? undefined : 'must be a time such as 2026-01-31T08:00:00Z'
const MAX_NESTING = 50
export const nested: Check = (value) =>
  isDeeper(value, MAX_NESTING) ? `must not be nested more than ${MAX_NESTING} levels deep` : undefined
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))
export const object: Check = (value) => (isObject(value) ? nested(value) : 'must be an object')

/** The fields of an object: those whose name ends in `?` may be absent. Unknown fields are errors, so that typing mistakes are found. */
export const fields = (checks: Readonly<Record<string, Check>>): Check => {
  const all = new Map(Object.entries(checks).map(([name, check]) => [name.replace('?', ''), { check, optional: name.endsWith('?') }]))
  return (value) => {
    if (!isObject(value)) return 'must be an object'
    for (const [name, { check, optional }] of all) {
      if (value[name] === undefined) {
        if (optional) continue
        return `\`${name}\` is missing`
      }
      const problem = check(value[name])
      if (problem) return joinProblem(name, problem)
    }
    const unknown = Object.keys(value).find((name) => !all.has(name))
    return unknown === undefined ? undefined : `\`${unknown}\` is not a field of it`
  }
}

/** `from` and "[0] `table` must be a list" are "`from[0].table` must be a list". */
export const joinProblem = (name: string, problem: string): string => {
  const inner = /^(\[\d+\])?\s*(?:`([^`]+)` )?(.*)$/s.exec(problem)!
  return `\`${name}${inner[1] ?? ''}${inner[2] ? `.${inner[2]}` : ''}\` ${inner[3]}`
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
