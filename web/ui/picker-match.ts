/** How well an option fits what was typed: every word must stand in its label or hint. 0 is not at all; the start of a word comes first. */
export const pickScore = (typed: string, texts: readonly string[]): number => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const text = texts.join(' ').toLowerCase()
  if (!words.every((word) => text.includes(word))) return 0
  return words.every((word) => text.startsWith(word) || text.includes(` ${word}`)) ? 1 : 0.5
}
