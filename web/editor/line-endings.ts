/**
 * How an editor must split a text into lines to give it back byte for byte. CodeMirror by itself turns every kind of line end into one; a
 * text with only `\r\n` is split at those, any other at `\n`, where a lonely `\r` is a character like others.
 */
export const lineSeparatorOf = (text: string): '\r\n' | '\n' => (/\r\n/.test(text) && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n')
