import { t } from '../../i18n/messages.ts'
import type { User } from './queries.ts'

/** Roles, most powerful first. */
export const ROLES: Record<User['role'], string> = {
  admin: t('Admin'),
  editor: t('Editor // the role'),
  viewer: t('Viewer'),
  guest: t('Guest'),
}
