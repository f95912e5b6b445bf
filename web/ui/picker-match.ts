/** Score of an option for the typed text: 0 unless its label or hint contains every word, 1 if all match at the start of a word. */
export const scoreOption = (typed: string, texts: readonly string[]): number => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const text = texts.join(' ').toLowerCase()
  if (!words.every((word) => text.includes(word))) return 0
  return words.every((word) => text.startsWith(word) || text.includes(` ${word}`)) ? 1 : 0.5
}
