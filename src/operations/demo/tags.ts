import type { Context } from '../../platform/context/context.ts'
import { demoId } from './id.ts'

const toDemoTag = (name: string, color: string, description: string) => ({ id: demoId(`tag:${name}`), name, color, description })

export const TAGS = {
  'source of truth': toDemoTag('source of truth', '#2f855a', 'When two tables disagree, this one is right.'),
  'personal data': toDemoTag('personal data', '#b7791f', 'Names people or leads to them. Ask before you copy it.'),
  deprecated: toDemoTag('deprecated', '#c53030', 'Going away. Do not build on it.'),
  nightly: toDemoTag('nightly', '#2b6cb0', 'Rebuilt every night; during the day it shows yesterday.'),
} as const

/** An existing tag of the workspace with the same name is kept. */
export const seedTags = async ({ db, now }: Context): Promise<void> => {
  await db
    .insertInto('tags')
    .values(Object.values(TAGS).map((each) => ({ ...each, created_at: now, updated_at: now })))
    .onConflict((c) => c.doNothing())
    .execute()
}
