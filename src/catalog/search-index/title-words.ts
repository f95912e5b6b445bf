import { isStopWord } from '../search-words/stop-words.ts'
import { singularForms } from '../search-words/word-forms.ts'

/** What a title is about: naming rules add words to it that say how a table came about. */

/** Words that naming rules put in front of a name, or behind it. */
const NAMING_WORDS = new Set('dim fct fact stg staging raw src int mart tbl table t v vw view tmp temp bak agg rpt snp'.split(' '))
export const isNamingConventionWord = (word: string): boolean => NAMING_WORDS.has(word)

const MODIFIERS = new Set(
  [
    'snapshot snapshots history hist archive backup copy old new audit rejected wide flat full hourly daily weekly monthly yearly per by',
    'export import summary latest current enriched joined merged unioned mapped filtered cleaned deduped deduplicated features changed',
  ]
    .join(' ')
    .split(' '),
)

/** `stg_shopify__`: the source in front of two underscores, as dbt projects name their models. */
const SOURCE = /^.*?__(?=..)/

export interface TitleWords {
  /** ` order lines `: the words that say what it is about. */
  readonly subject: string
  readonly size: number
  /** How many other words there are. */
  readonly others: number
}

export const readTitle = ({ title_words, title_full }: { readonly title_words: string; readonly title_full: string }): TitleWords => {
  const source = SOURCE.exec(title_full.slice(title_full.lastIndexOf('.') + 1))?.[0] ?? ''
  const sourceWords = source.split('_').filter((word) => word !== '').length
  const words = title_words.trim().split(' ')
  const about = words.filter((word, i) => i >= sourceWords && saysWhat(word))
  return { subject: ` ${about.join(' ')} `, size: about.length, others: words.length - about.length }
}

const saysWhat = (word: string): boolean =>
  word.length > 1 && !isNamingConventionWord(word) && !MODIFIERS.has(word) && !isStopWord(word) && !/^\d/.test(word)

/** The same for `dim_customer` and `raw.crm.customers`. */
export const toNameKey = (subject: string): string =>
  subject
    .trim()
    .split(' ')
    .map((word) => singularForms(word).at(-1) ?? word)
    .join(' ')
