import { parseId } from '../core/id.ts'
import { type Translatable, translatable } from '../core/translatable.ts'
import { countItems, getFieldNoun, isPropertyField } from './activity-nouns.ts'
import type { Change } from './record.ts'
import { quoteValue, sentence } from './sentence.ts'

/** Sentences about edits of fields. Pure. */
const FLAGS: Readonly<Record<string, { readonly on: Translatable; readonly off: Translatable }>> = {
  published: { on: sentence('{performer} published {resource}'), off: sentence('{performer} hid {resource} from viewers') },
  verified: { on: sentence('{performer} verified {resource}'), off: sentence('{performer} removed the verification of {resource}') },
  pii: {
    on: sentence('{performer} marked {resource} as containing personal data'),
    off: sentence('{performer} marked {resource} as not containing personal data'),
  },
  archived: { on: sentence('{performer} archived {resource}'), off: sentence('{performer} unarchived {resource}') },
  stale: {
    on: sentence('{performer} marked {resource} as missing from its source'),
    off: sentence('{performer} found {resource} in its source again'),
  },
  is_pk: {
    on: sentence('{performer} marked {resource} as part of the primary key'),
    off: sentence('{performer} marked {resource} as not part of the primary key'),
  },
  hidden: {
    on: sentence('{performer} hid {resource} in the column list of its table'),
    off: sentence('{performer} showed {resource} in the column list of its table'),
  },
  is_template: {
    on: sentence('{performer} made {resource} a template'),
    off: sentence('{performer} made {resource} an ordinary document'),
  },
}
/** Values of these fields are IDs, which mean nothing to readers, so they are left out. */
const REFERENCES = ['integration', 'base_entity_id', 'question_answered_by', 'question_assigned_to', 'accepted_reply']

export const describeChange = ({ field, from, to }: Change): Translatable => {
  const flag = FLAGS[field]
  if (flag) return to === true ? flag.on : flag.off
  if (field === 'deprecation' && to === null) return sentence('{performer} removed the deprecation of {resource}')
  if (field === 'deprecation' && from === null) return sentence('{performer} deprecated {resource}')
  if (field === 'deprecation') return sentence('{performer} changed the deprecation of {resource}')
  if (field === 'parent' && to === null) return sentence('{performer} moved {resource} to the top level')
  if (field === 'parent') return sentence('{performer} moved {resource} to another parent')
  if (field === 'sort_order') return sentence('{performer} changed the position of {resource}')
  const quoted = { from: quoteValue(from), to: quoteValue(to) }
  if (field === 'title') return sentence('{performer} renamed {resource} from {from} to {to}', quoted)
  if (Array.isArray(from) || Array.isArray(to)) return describeListChange(field, from as unknown[] | null, to as unknown[] | null)
  const what = getFieldNoun(field)
  if (REFERENCES.includes(field) || (isPropertyField(field) && [from, to].some(isId))) {
    if (to === null) return sentence('{performer} cleared {what} of {resource}', { what })
    return from === null
      ? sentence('{performer} set {what} of {resource}', { what })
      : sentence('{performer} changed {what} of {resource}', { what })
  }
  if (from === null) return sentence('{performer} set {what} of {resource} to {to}', { what, to: quoted.to })
  if (to === null) return sentence('{performer} cleared {what} of {resource} which was {from}', { what, from: quoted.from })
  return sentence('{performer} changed {what} of {resource} from {from} to {to}', { what, ...quoted })
}

const describeListChange = (field: string, from: readonly unknown[] | null, to: readonly unknown[] | null): Translatable => {
  const n = (to ?? []).filter((each) => !from?.includes(each)).length
  const m = (from ?? []).filter((each) => !to?.includes(each)).length
  const [added, removed] = [countItems(field, n), countItems(field, m)]
  if (n > 0 && m > 0) return sentence('{performer} added {added} to and removed {removed} from {resource}', { added, removed })
  if (n > 0) return sentence('{performer} added {added} to {resource}', { added })
  if (m > 0) return sentence('{performer} removed {removed} from {resource}', { removed })
  return sentence('{performer} reordered {what} of {resource}', { what: getFieldNoun(field) })
}

const isId = (value: unknown): boolean => typeof value === 'string' && parseId(value) !== undefined

const MAX_NAMED_FIELDS = 3
export const listFields = (changes: readonly Change[]): Translatable[] => {
  const names = changes.map(({ field }) => getFieldNoun(field))
  const more = names.length - MAX_NAMED_FIELDS
  return more > 1 ? [...names.slice(0, MAX_NAMED_FIELDS), translatable('{n} other fields', { n: more })] : names
}
