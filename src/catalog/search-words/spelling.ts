/** Words of a vocabulary that a mistyped word may stand for. */
export interface SpellingCandidate {
  readonly word: string
  readonly frequency?: number
}

/** Mistakes allowed in a word of this length: in a short word, one mistake makes another word. */
const maxMistakes = (length: number): number => (length <= 3 ? 0 : length <= 7 ? 1 : 2)

/**
 * The candidates within the allowed number of mistakes: fewest mistakes first, then the same first letter, then the most frequent. A word
 * that is still being typed is compared with the beginning of each candidate.
 */
export const rankCorrections = (typed: string, unfinished: boolean, candidates: readonly SpellingCandidate[]): string[] => {
  const letters = [...typed]
  const most = maxMistakes(letters.length)
  if (most === 0) return []
  return candidates
    .flatMap(({ word, frequency = 0 }) => {
      const distance = countMistakes(letters, [...word], unfinished, most)
      return distance === 0 || distance > most ? [] : [{ word, distance, frequency, sameStart: word.startsWith(letters[0]!) }]
    })
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.sameStart) - Number(a.sameStart) ||
        b.frequency - a.frequency ||
        a.word.length - b.word.length ||
        (a.word < b.word ? -1 : 1),
    )
    .map(({ word }) => word)
}

/**
 * Letters inserted, missing, wrong, or swapped with their neighbour (Damerau-Levenshtein, optimal string alignment); more than `most` is
 * `most + 1`. With `prefix`, the distance to the nearest beginning of the word.
 */
const countMistakes = (typed: readonly string[], word: readonly string[], prefix: boolean, most: number): number => {
  if (word.length < typed.length - most || (!prefix && word.length > typed.length + most)) return most + 1
  const width = prefix ? Math.min(word.length, typed.length + most) : word.length
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
  return Math.min(most + 1, prefix ? Math.min(...last) : last[width]!)
}
