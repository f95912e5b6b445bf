import type { ImportUndo, ImportUndoCounts, KeptReason } from './schema.ts'

/** The log of an undo, in sentences. Pure. */

const REASONS: Record<KeptReason, string> = {
  changed: 'it has been changed since',
  used: 'it has been changed or used since',
  contains: 'it contains something that is kept',
  part: 'it belongs to something that is kept',
  reported: 'a source reports it',
  published: 'it contains something that is published',
  invalid: 'the value before is no longer possible',
}

export const describeUndo = (counts: ImportUndoCounts, kept: ImportUndo['kept']): string =>
  [...kept.map(describeKept), describeCounts(counts)].join('\n')

const describeKept = ({ title, field, reason }: ImportUndo['kept'][number]): string =>
  `Kept ${field === null ? title : `${field.replace(/^custom_property:/, '')} of ${title}`}: ${REASONS[reason]}.`

const describeCounts = ({ resources_restored, resources_deleted, lineage_deleted, changes_kept }: ImportUndoCounts): string =>
  [
    `Undone: ${count(resources_restored, 'resource')} restored`,
    `${count(resources_deleted, 'resource')} moved to the trash`,
    `${count(lineage_deleted, 'lineage edge')} deleted`,
    `${count(changes_kept, 'change')} kept.`,
  ].join(', ')

const count = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
