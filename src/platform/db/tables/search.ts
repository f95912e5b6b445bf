import type { Generated, GeneratedAlways } from 'kysely'

export interface SearchTables {
  search_context: SearchContextTable
  search_context_changes: SearchContextChangesTable
  search_references: SearchReferencesTable
  search_rules: SearchRulesTable
  search_synonyms: SearchSynonymsTable
  search_texts: SearchTextsTable
  search_titles: SearchTitlesTable
  search_vector_changes: SearchVectorChangesTable
  search_vector_model: SearchVectorModelTable
  search_vectors: SearchVectorsTable
  search_vocabulary: SearchVocabularyTable
}

export interface SearchContextTable {
  resource_id: string
  words: string
  level: number
}

export interface SearchContextChangesTable {
  xid: Generated<string>
  resource_id: string
  properties_only: Generated<boolean>
}

export interface SearchReferencesTable {
  target: string
  words: string
}

export interface SearchRulesTable {
  query: string
  resource_id: string
  action: string
  position: number
}

export interface SearchSynonymsTable {
  resource_id: string
  form: string
  stems: string[]
}

export interface SearchTextsTable {
  resource_id: string
  words: string
  docs: string | null
  level: number
}

export interface SearchTitlesTable {
  resource_id: string
  used: boolean
  usage: number
  archived: boolean
  title_words: string
  words: string
}

export interface SearchVectorChangesTable {
  id: GeneratedAlways<number>
  resource_id: string
}

export interface SearchVectorModelTable {
  only_row: Generated<boolean>
  model: string
  dimensions: number | null
}

export interface SearchVectorsTable {
  resource_id: string
  text_hash: string
  vector: Buffer
  signs: string
}

export interface SearchVocabularyTable {
  word: string
  english: string | null
  german: string | null
  spanish: string | null
  french: string | null
}
