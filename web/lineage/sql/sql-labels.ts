import { t } from '../../i18n/messages.ts'

/** Labels of how a value is transformed along a link. */
export const TRANSFORMATION_LABELS: Readonly<Record<string, string>> = {
  table: t('table'),
  identity: t('direct copy'),
  expression: t('expression'),
  aggregation: t('aggregation'),
  filter: t('filter'),
}

/** Labels of why a reference in a query is unresolved. */
export const UNRESOLVED_REASONS: Readonly<Record<string, string>> = {
  ambiguous: t('ambiguous'),
  dynamic: t('dynamic SQL'),
  not_in_catalog: t('not in the catalog'),
  star_of_unknown_table: t('SELECT * from an unknown table'),
  unknown_column: t('unknown column'),
  unknown_qualifier: t('unknown table alias'),
}
