/** Basic tokens of SQL in any dialect; a full grammar would be needed per dialect. */
export const SQL_KEYWORDS =
  /^(select|from|where|join|left|right|full|inner|outer|cross|lateral|on|using|group|order|by|having|limit|qualify|window|over|partition|union|all|distinct|intersect|except|with|recursive|as|insert|into|values|update|set|delete|merge|matched|when|then|else|case|end|create|or|replace|temporary|temp|table|view|materialized|and|not|in|is|null|between|like|exists|cast|true|false|asc|desc)$/i

export interface SqlToken {
  readonly kind: 'comment' | 'string' | 'number' | 'keyword' | 'text'
  readonly text: string
}

const TOKEN =
  /(\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*)|('(?:''|[^'])*'?)|("[^"]*"?|`[^`]*`?)|(\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{N}_$]*)|([^\p{L}\p{N}_'"`/-]+|[\s\S])/gu

/** The tokens joined are the text. */
export const tokenizeSql = (text: string): SqlToken[] =>
  [...text.matchAll(TOKEN)].map(([text, comment, string, , number, word]) => ({
    kind: comment ? 'comment' : string ? 'string' : number ? 'number' : word && SQL_KEYWORDS.test(word) ? 'keyword' : 'text',
    text,
  }))
