/**
 * The line separator with which the editor preserves a text byte for byte; by default CodeMirror normalizes all line endings. A text with only
 * `\r\n` is split at those, any other at `\n`, where a single `\r` is an ordinary character.
 */
export const detectLineSeparator = (text: string): '\r\n' | '\n' =>
  /\r\n/.test(text) && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n'
