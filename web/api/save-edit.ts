import { locale } from '../words/language.ts'
import { t } from '../words/words.ts'
import { api, Failure, isFailure, type Versioned } from './client.ts'

const FIELDS: Readonly<Record<string, string>> = {
  name: t('name'),
  title: t('title'),
  description: t('description'),
  definition: t('definition'),
  owners: t('owners'),
  tags: t('tags'),
  teams: t('teams'),
}
const together = new Intl.ListFormat(locale)

/** Somebody else changed the same fields in between; nothing was written. */
export class Conflict extends Failure {
  /** The record as they left it: of the kind that was edited. */
  readonly theirs: unknown
  readonly fields: readonly string[]

  constructor(theirs: unknown, fields: readonly string[]) {
    const said = together.format(fields.map((field) => FIELDS[field] ?? field))
    const detail = t('Someone else changed the {fields} in the meantime. Their version is shown now.', { fields: said })
    super(412, { code: 'conflict', detail })
    this.theirs = theirs
    this.fields = fields
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Writes an edit made on `base`. When the record is newer than that, but not in the fields of the edit, it is simply made on the newer one;
 * else it is a conflict, and nothing is written.
 */
export const saveEdit = async <T extends Versioned>(path: string, base: T, edit: object): Promise<T> => {
  let seen = base
  for (let attempt = 0; ; attempt++)
    try {
      return await api.patch<T>(path, edit, { if_match: seen })
    } catch (error) {
      if (!isFailure(error, 'precondition_failed') || attempt === 3) throw error
      seen = await api.get<T>(path)
      const fields = Object.keys(edit).filter((field) => !same(at(seen, field), at(base, field)))
      if (fields.length > 0) throw new Conflict(seen, fields)
    }
}

export const at = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]
