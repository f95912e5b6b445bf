import type { Message } from './messages.ts'

/** Whether a key is among these, or begins with one of them and a dot: what is below an item is named that way. */
export const isCoveredBy = (key: string, keys: ReadonlySet<string>): boolean => {
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) if (keys.has(key.slice(0, end))) return true
  return false
}

/** Whether a key is this one, or begins with it and a dot. */
export const isUnder = (key: string, above: string): boolean => key === above || key.startsWith(`${above}.`)

/** The key of what a message is about. */
export const findSubject = (message: Message): string | undefined => {
  if (message.type === 'item' || message.type === 'unchanged' || message.type === 'unlisted') return message.key
  if (message.type === 'lineage') return message.to
  return message.type === 'flow' ? message.job : undefined
}
