import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import { saveEdit } from '../api/save-edit.ts'
import type { Resource, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cacheResource } from '../resources/use-edit.ts'
import { Editable } from '../ui/editable.tsx'
import { showErrorToast } from '../ui/toast.tsx'

/** Other words for a glossary term, separated by commas. Search finds one by the other. */
export const Synonyms = ({ term, className }: { term: Resource; className?: string }) => {
  const { synonyms = [] } = term as Partial<Schemas['Glossary']>
  const save = useMutation({
    mutationFn: (synonyms: readonly string[]) => saveEdit(`/glossary/${term.id}`, term, { synonyms }),
    onSuccess: (after) => {
      cacheResource(after)
      void queryClient.invalidateQueries({ queryKey: ['resource', term.id] })
      void queryClient.invalidateQueries({ queryKey: ['catalog'] })
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  const writes = term.current_user_permissions.write
  return (
    <Editable
      label={t('synonyms')}
      value={synonyms.join(', ')}
      editable={writes}
      placeholder={writes ? t('Add synonyms, separated by commas') : ''}
      className={className}
      onSave={(now) =>
        save.mutate(
          now
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
        )
      }
    />
  )
}
