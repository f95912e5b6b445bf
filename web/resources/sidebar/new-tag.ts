import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Tag } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { showErrorToast } from '../../ui/toast.tsx'

/** Creates a tag with the typed name. */
export const useNewTag = (onCreated: (id: string) => void) =>
  useMutation({
    mutationFn: (name: string) => api.post<Tag>('/tag', { name }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['bootstrap'] })
      onCreated(id)
    },
    onError: (error) => showErrorToast(t('Couldn’t create the tag.'), error),
  })
