import { t } from '../words/words.ts'
import type { User } from './queries.ts'

/** What somebody may do, from most to least. */
export const ROLES: Record<User['role'], string> = { admin: t('admin'), editor: t('editor'), viewer: t('viewer'), guest: t('guest') }
