/** A word of a search term, and how it is looked up in the search vectors. */
export interface SearchWord {
  /** Alternatives; each is a list of lexemes that must all match. */
  readonly alternatives: readonly (readonly Lexeme[])[]
}

export interface Lexeme {
  readonly text: string
  readonly stem: string
  /** Matches any word with this prefix. */
  readonly unfinished: boolean
}

/** Letters of a prefix that the index of titles contains. */
export const MAX_PREFIX_LENGTH = 8
const PREFIX_LENGTHS = { title: MAX_PREFIX_LENGTH, texts: 3, docs: 8 } as const // letters of a prefix in the index

export const markWordFinished = ({ alternatives }: SearchWord): SearchWord => ({ alternatives: alternatives.map(markLexemesFinished) })
export const markLexemesFinished = (alternative: readonly Lexeme[]): Lexeme[] =>
  alternative.map((lexeme) => ({ ...lexeme, unfinished: false }))

/** The search vectors of a resource, each with its own lexeme format. */
export type SearchVector = 'title' | 'texts' | 'docs'

export const allWordsQuery = (words: readonly SearchWord[], vector: SearchVector): string =>
  [...new Set(words.map((word) => wordQuery(word, vector)))].join('&')
export const wordQuery = ({ alternatives }: SearchWord, vector: SearchVector): string =>
  `(${alternatives.map((lexemes) => lexemes.map((lexeme) => lexemeQuery(lexeme, vector)).join('&')).join('|')})`
const lexemeQuery = (lexeme: Lexeme, vector: SearchVector): string => `(${lexemeVariants(lexeme, vector).map(quoteLexeme).join('|')})`
/** The lexemes that represent it in this vector. Any of them matches. */
export const lexemeVariants = ({ text, stem, unfinished }: Lexeme, vector: SearchVector): string[] => [
  vector === 'title' ? `=${stem}` : stem,
  ...(unfinished ? [`^${text.slice(0, PREFIX_LENGTHS[vector])}`] : []),
]
export const quoteLexeme = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`
