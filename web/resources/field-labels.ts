import { t } from '../i18n/messages.ts'

/** Fields of a resource as people know them. */
const LABELS: Readonly<Record<string, string>> = {
  title: t('Name'),
  entity_type: t('Type'),
  description: t('Description'),
  definition: t('Documentation'),
  native_type: t('Data type'),
  url: t('URL'),
  integration: t('Source'),
  teams: t('Teams'),
  owners: t('Owners'),
  owners_groups: t('Owner groups'),
  collections: t('Collections'),
  tags: t('Tags'),
  terms: t('Glossary terms'),
  synonyms: t('Synonyms'),
  subscribers: t('Subscribers'),
  deprecation: t('Deprecation'),
  verified: t('Verified'),
  published: t('Published'),
  pii: t('PII'),
  archived: t('Archived'),
  stale: t('No longer in source'),
}

/** A field of another kind of record by its name: `last_seen_at` → `Last seen at`. */
export const getFieldLabel = (field: string): string => {
  const words = field.replaceAll('_', ' ')
  return LABELS[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
