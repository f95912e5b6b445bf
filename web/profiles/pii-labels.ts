import type { PiiSuggestion } from '../../src/observability/pii/pii-schema.ts'
import { t } from '../i18n/messages.ts'

export const PII_LABELS: Record<PiiSuggestion['class'], string> = {
  email: t('e-mail address'),
  phone: t('phone number'),
  iban: t('IBAN'),
  card: t('payment card number'),
  national_id: t('national ID'),
  ip: t('IP address'),
  person_name: t('person name'),
  birth_date: t('date of birth'),
  address: t('postal address'),
}
