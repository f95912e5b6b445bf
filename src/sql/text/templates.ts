/** The name a template placeholder is replaced by: `{{ ref('orders') }}` is a table; anything else keeps its text as a name. */
export const templateNames = (text: string): string[] => {
  if (/^\{\{-?\s*config\b/.test(text)) return []
  const call = /^\{\{-?\s*(ref|source)\s*\(([^)]*)\)/.exec(text)
  if (!call) return [text]
  const strings = [...call[2]!.matchAll(/(?<!=\s{0,9})['"]([^'"]+)['"]/g)].map((match) => match[1]!)
  if (strings.length === 0) return [text]
  return call[1] === 'ref' ? [strings.at(-1)!] : strings.slice(0, 2)
}
