/** Maps key presses to commands. Pure, so that it can be tested. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** A key press in the notation of the command list: `mod+k`, `shift+x`, `j`, `?`. */
export const toChord = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined => {
  if (altKey || ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'].includes(key)) return undefined
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key
  // Shift is part of a character such as `?`, but a modifier of a letter.
  const shift = shiftKey && (key.length > 1 || name !== name.toUpperCase())
  return [ctrlKey || metaKey ? 'mod' : '', shift ? 'shift' : '', name].filter(Boolean).join('+')
}

/** A text field left with Enter or Escape, and the time of the last key press since. */
export interface BlurredField {
  readonly at: number
  /** A letter was typed since. */
  readonly typed?: true
}

const STILL_TYPING_MS = 1500

/** Letters typed right after Enter or Escape were meant as text and must not run commands. */
export const isStillTyping = (left: BlurredField | undefined, now: number): boolean => left !== undefined && now - left.at < STILL_TYPING_MS

const SEQUENCE_MS = 1000

/** The key sequences this key may complete: `g s`, and `s` itself. */
export const toSequences = (before: { chord: string; at: number } | undefined, chord: string, now: number): readonly string[] =>
  before && now - before.at < SEQUENCE_MS ? [`${before.chord} ${chord}`, chord] : [chord]
