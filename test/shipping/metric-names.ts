/** The names of all metrics in the text of /metrics, with those of a histogram's parts. */
export const listMetricNames = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name!],
    ),
  )

const KEYWORDS = ['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring']

/** The metrics that an expression of PromQL reads. */
export const findMetricsOf = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/(?<![\w$.])[a-z_][\w:]*(?!\w)(?!\s*\()/gi)].map(([name]) => name).filter((name) => !KEYWORDS.includes(name))
}
