/** Whether a key is among these, or begins with one of them and a dot: what is below an item is named that way. */
export const isCoveredBy = (key: string, keys: ReadonlySet<string>): boolean => {
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) if (keys.has(key.slice(0, end))) return true
  return false
}
