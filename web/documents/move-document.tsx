import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FolderInput } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { MAX_OPTIONS, useServerSearch } from '../api/picker-options.ts'
import { queryClient } from '../api/query-client.ts'
import type { ResourceView, SearchPage } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { useEdit } from '../resources/use-edit.ts'
import { Button } from '../ui/button.tsx'
import { Picker } from '../ui/picker.tsx'
import { showToast } from '../ui/toast.tsx'

const TOP = 'top'

/** Moves a document with its subpages below another document, or to the top level. */
export const MoveDocument = ({ view }: { view: ResourceView }) => {
  const { id, parent } = view.resource
  const edit = useEdit(view)
  const [opened, setOpened] = useState(false)
  const { query, onSearch } = useServerSearch()
  const { data } = useQuery({
    queryKey: ['catalog', 'document-choices', query],
    queryFn: ({ signal }) =>
      api.get<SearchPage>('/search', {
        query: { entity_type: 'document', q: query || undefined, facets: false, page_size: MAX_OPTIONS },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: opened,
  })
  const others = (data?.results ?? []).filter((each) => each.id !== id)
  const move = (to: string | null, undo?: () => void) =>
    edit.mutate(
      { parent: to },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: ['catalog', 'listed'] })
          showToast(t('Moved'), undo)
        },
      },
    )
  return (
    <Picker
      label={t('Move to')}
      align="end"
      single
      options={[
        { id: TOP, label: t('Top level') },
        ...others.map(({ id, title, title_full }) => ({
          id,
          label: title,
          hint: title_full === title ? undefined : title_full,
          resource: true,
        })),
      ]}
      chosen={[parent ?? TOP]}
      onOpen={() => setOpened(true)}
      onSearch={onSearch}
      onToggle={(chosen) => {
        const to = chosen === TOP ? null : chosen
        if (to !== parent) move(to, () => move(parent))
      }}
      trigger={(props) => (
        <Button {...props} look="quiet" icon={FolderInput}>
          {t('Move')}
        </Button>
      )}
    />
  )
}
