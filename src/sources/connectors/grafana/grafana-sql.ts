import type { Shape } from '../../../../connector/src/shape.ts'

/** The SQL of a query of a panel, in the field that its plugin uses. Pure, like all functions here. */
const SQL_FIELDS = ['rawSql', 'rawSQL', 'rawSqlQuery', 'queryText', 'query']

export const findTargetSql = (target: Shape): string | undefined => {
  for (const field of SQL_FIELDS) {
    const { value } = target.at(field)
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

/** SQL with macros and variables replaced by something of the same form: `$__timeFilter(day)`, `$city`, `${city:csv}`, `[[city]]`. */
export const expandMacros = (sql: string): string =>
  sql
    .replace(/\$__(\w+)\(((?:[^()]|\([^()]*\))*)\)/g, (_, name: string, args: string) => {
      const [column = ''] = splitArguments(args)
      if (column === '') return 'null'
      if (/filter/i.test(name)) return `${column} is not null`
      return name === 'time' || name === 'timeEpoch' || name.endsWith('Alias') ? `${column} as time` : column
    })
    .replace(/\$__\w+|\$\{[^}]*\}|\[\[[^\]]*\]\]|\$[A-Za-z_]\w*/g, 'null')

const splitArguments = (args: string): string[] => (args.match(/(?:[^,()]|\([^()]*\))+/g) ?? []).map((each) => each.trim())

/** One statement that reads what all queries of a panel read. */
export const joinQueries = (queries: readonly string[]): string => {
  const cleaned = queries.map((sql) => sql.trim().replace(/;\s*$/, ''))
  return cleaned.length === 1 ? cleaned[0]! : `select * from ${cleaned.map((sql, i) => `(\n${sql}\n) as query_${i + 1}`).join(', ')}`
}
