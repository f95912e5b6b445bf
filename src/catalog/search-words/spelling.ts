/** Mistakes allowed in a word of this length: in a short word, one mistake makes another word. */
const maxMistakes = (length: number): number => (length <= 3 ? 0 : length <= 7 ? 1 : 2)

/** The words of the vocabulary within the allowed number of mistakes: fewest mistakes first, then the same first letter. */
export const rankCorrections = (typed: string, candidates: readonly { readonly word: string }[]): string[] => {
  const letters = [...typed]
  const most = maxMistakes(letters.length)
  if (most === 0) return []
  return candidates
    .flatMap(({ word }) => {
      const distance = countMistakes(letters, [...word], most)
      return distance === 0 || distance > most ? [] : [{ word, distance, sameStart: word.startsWith(letters[0]!) }]
    })
    .sort(
      (a, b) =>
        a.distance - b.distance || Number(b.sameStart) - Number(a.sameStart) || a.word.length - b.word.length || (a.word < b.word ? -1 : 1),
    )
    .map(({ word }) => word)
}

/**
 * Letters inserted, missing, wrong, or swapped with their neighbour (Damerau-Levenshtein, optimal string alignment); more than `most` is
 * `most + 1`.
 */
const countMistakes = (typed: readonly string[], word: readonly string[], most: number): number => {
  if (Math.abs(word.length - typed.length) > most) return most + 1
  const width = word.length
  let beforeLast: number[] = []
  let last = Array.from({ length: width + 1 }, (_, j) => j)
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= width; j += 1) {
      const same = typed[i - 1] === word[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return Math.min(most + 1, last[width]!)
}
