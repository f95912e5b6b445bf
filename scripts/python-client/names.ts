const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
   nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/** Whether it can be the name of a field or a parameter. */
export const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name)

/** `from` → `from_`, `If-Match` → `if_match` */
export const toParameterName = (name: string): string => {
  const plain = name.replaceAll(/\W/g, '_').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return isPythonName(plain) ? plain : `${plain}_`
}

/** `getResourceCatalog` → `get_resource_catalog` */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '_' : ''}${letter.toLowerCase()}`)

export const toPascalCase = (name: string): string => name.replace(/(?:^|\W+|_+)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A description as comment lines. */
export const writeComment = (text: string | undefined, indent = '    '): string[] =>
  (text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `${indent}# ${line.trim()}`)

/** A docstring with this indent; it cannot be ended by its text. */
export const writeDocstring = (paragraphs: readonly (string | undefined)[], indent: string): string[] => {
  const text = paragraphs
    .filter((each) => each !== undefined && each !== '')
    .join('\n\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : `${indent}${line.trim()}`))
  return [`${indent}"""${lines[0]!.trimStart()}`, ...lines.slice(1), `${indent}"""`]
}
