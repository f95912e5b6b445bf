/** What a character may be part of, looked up by its code. */
const NAME_START = 1
const NAME_PART = 2
const DIGIT = 4

const classes = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(char)) classes[code] = NAME_START | NAME_PART
  if (/[0-9]/.test(char)) classes[code] = NAME_PART | DIGIT
  if (char === '$') classes[code] = NAME_PART
}

export const isBlank = (code: number): boolean =>
  code <= 32 ||
  code === 0xa0 ||
  code === 0xfeff ||
  code === 0x3000 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x2028 ||
  code === 0x2029

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Beyond ASCII every character that is not whitespace may be part of a name: dialects do not agree on the exact list. */
export const isNameStart = (code: number): boolean => (code < 128 ? (classes[code]! & NAME_START) !== 0 : !isBlank(code))

export const isNamePart = (code: number): boolean => (code < 128 ? (classes[code]! & NAME_PART) !== 0 : !isBlank(code))
