import { useMutation } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import type { Tag } from '../api/types.ts'
import { toldFailure } from '../ui/toast.tsx'
import { t } from '../words/words.ts'

/** Creates a tag with the typed name. */
export const useNewTag = (onMade: (id: string) => void) =>
  useMutation({
    mutationFn: (name: string) => api.post<Tag>('/tag', { name }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['bootstrap'] })
      onMade(id)
    },
    onError: (error) => toldFailure(t('Couldn’t create the tag.'), error),
  })
