/** Which command a key means: pure, so that it can be tested. */
export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** A pressed key as the list of commands writes it: `mod+k`, `shift+x`, `j`, `?`. */
export const chordOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | undefined => {
  if (altKey || ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'].includes(key)) return undefined
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key
  // Shift is part of a sign such as `?`, and a word of its own with a letter.
  const shift = shiftKey && (key.length > 1 || name !== name.toUpperCase())
  return [ctrlKey || metaKey ? 'mod' : '', shift ? 'shift' : '', name].filter(Boolean).join('+')
}

/** A text field that was left by Enter or Escape, and when the last key was pressed since then. */
export interface LeftField {
  readonly at: number
}

const STILL_TYPING_MS = 1500

/** Letters that follow Enter or Escape without a pause were meant as text: they must not run commands. */
export const stillTyping = (left: LeftField | undefined, now: number): boolean => left !== undefined && now - left.at < STILL_TYPING_MS

const SEQUENCE_MS = 1000

/** What was pressed so far, with this key: a second key may finish a sequence such as `g s`. */
export const sequenceOf = (before: { chord: string; at: number } | undefined, chord: string, now: number): readonly string[] =>
  before && now - before.at < SEQUENCE_MS ? [`${before.chord} ${chord}`, chord] : [chord]
