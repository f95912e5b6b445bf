import { api, isApiError } from '../../api/client.ts'
import type { Schemas } from '../../api/types.ts'
import { language } from '../../i18n/language.ts'
import { t } from '../../i18n/messages.ts'
import { showErrorToast, showToast } from '../../ui/toast.tsx'

/** Copies the HTML that embeds the card of a table in another site. Returns false if no site is allowed to show cards yet. */
export const copyEmbed = async (id: string): Promise<boolean> => {
  try {
    const { html } = await api.get<Schemas['EmbedLink']>(`/resource/all/${id}/embed_link`, { query: { lang: language } })
    await navigator.clipboard.writeText(html) // needs https or localhost
    showToast(t('Embed code copied'))
  } catch (error) {
    if (isApiError(error, 'conflict')) return false
    showErrorToast(t('The embed code was not copied.'), error)
  }
  return true
}
