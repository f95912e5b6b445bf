import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { showErrorToast, showToast } from '../../ui/toast.tsx'

/** Copies the health badge of a resource for a wiki or BI tool: an image that leads to its page. */
export const copyBadge = async (id: string): Promise<void> => {
  try {
    const { url } = await api.get<Schemas['BadgeLink']>(`/resource/all/${id}/badge_link`)
    await navigator.clipboard.writeText(`[![${t('Health')}](${url})](${location.origin}/r/${id})`) // needs https or localhost
    showToast(t('Badge copied as Markdown'))
  } catch (error) {
    showErrorToast(t('The badge was not copied.'), error)
  }
}
