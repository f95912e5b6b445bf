import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { ApiError, api, isApiError, type WithEtag } from './client.ts'

const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: t('name'),
  title: t('title'),
  description: t('description'),
  definition: t('definition'),
  owners: t('owners'),
  tags: t('tags'),
  terms: t('terms'),
  teams: t('teams'),
}
const listFormat = new Intl.ListFormat(locale)

/** Another user changed the same fields in the meantime; nothing was saved. */
export class EditConflictError extends ApiError {
  /** The current record, of the same type as the edited one. */
  readonly theirs: unknown
  readonly fields: readonly string[]

  constructor(theirs: unknown, fields: readonly string[]) {
    const labels = listFormat.format(fields.map((field) => FIELD_LABELS[field] ?? field))
    const detail = t('Someone else changed the {fields} in the meantime. Their version is shown now.', { fields: labels })
    super(412, { code: 'conflict', detail })
    this.theirs = theirs
    this.fields = fields
  }
}

const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Saves an edit based on `base`. If the record has changed since, but not in the edited fields, the edit is applied to the newer version;
 * otherwise it throws a Conflict and saves nothing.
 */
export const saveEdit = async <T extends WithEtag>(path: string, base: T, edit: object): Promise<T> => {
  let seen = base
  for (let attempt = 0; ; attempt++)
    try {
      return await api.patch<T>(path, edit, { if_match: seen })
    } catch (error) {
      if (!isApiError(error, 'precondition_failed') || attempt === 3) throw error
      seen = await api.get<T>(path)
      const fields = Object.keys(edit).filter((field) => !isSameValue(getField(seen, field), getField(base, field)))
      if (fields.length > 0) throw new EditConflictError(seen, fields)
    }
}

export const getField = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]
