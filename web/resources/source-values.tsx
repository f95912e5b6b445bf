import { useMutation, useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Resource, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { provenanceQuery } from './queries.ts'

type FieldProvenance = Schemas['Provenance']

/** Toasts after a field was reverted to its source. */
const REVERTED_MESSAGES = {
  title: t('Name reverted to source'),
  description: t('Description reverted to source'),
  definition: t('Documentation reverted to source'),
}

interface SourceValuesPanelProps {
  readonly resource: Resource
  readonly field: keyof typeof REVERTED_MESSAGES
}

/** For a field edited here: the different value of its source, and a button to revert to it. */
export const SourceValuesPanel = ({ resource, field }: SourceValuesPanelProps) => {
  const { data } = useQuery({ ...provenanceQuery(resource.id), enabled: resource.integration !== null })
  const others = data?.filter(
    (each) => each.field === field && each.by === 'person' && each.source_value && each.source_value !== resource[field],
  )
  return others?.map((each) => (
    <SourceValue key={each.source} resource={resource} field={field} other={each} who={others.length > 1 ? each.source : undefined} />
  ))
}

/** `who` is set if there is more than one source. */
const SourceValue = ({ resource, field, other, who }: SourceValuesPanelProps & { other: FieldProvenance; who: string | undefined }) => {
  const revert = useRevertToSource(resource, field)
  const text = String(other.source_value)
  const revertButton = resource.current_user_permissions.write && (
    <Button small look="quiet" icon={Undo2} busy={revert.isPending} onClick={() => revert.mutate(other.source)} className="-ms-2 shrink-0">
      {t('Revert to source')}
    </Button>
  )
  if (field === 'definition')
    return (
      <details className="mb-4 rounded-md border border-line px-3 py-1.5 text-sm">
        <summary className="cursor-pointer text-faint">
          {who ? t('{source} has a different version', { source: who }) : t('The source has a different version')}
        </summary>
        <div className="grid justify-items-start gap-2 pt-2">
          <Markdown text={text} />
          {revertButton}
        </div>
      </details>
    )
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm">
      <span className="line-clamp-3 text-faint wrap-anywhere" title={text}>
        <SourceValueText field={field} who={who} what={<bdi className="text-soft">{text}</bdi>} />
      </span>
      {revertButton}
    </p>
  )
}

const SourceValueText = ({ field, who, what }: Pick<SourceValuesPanelProps, 'field'> & { who: string | undefined; what: ReactNode }) => {
  if (field === 'title')
    return who ? (
      <Trans message="Name in {source}: {name}" source={who} name={what} />
    ) : (
      <Trans message="Name in source: {name}" name={what} />
    )
  return who ? (
    <Trans message="Description in {source}: {text}" source={who} text={what} />
  ) : (
    <Trans message="Description in source: {text}" text={what} />
  )
}

/** Reverts a field to the value of its source, so that syncs update it again; can be undone. */
const useRevertToSource = (resource: Resource, field: keyof typeof REVERTED_MESSAGES) => {
  const invalidate = () => {
    for (const queryKey of [['resource', resource.id], ['catalog'], ['tree']]) void queryClient.invalidateQueries({ queryKey })
  }
  const undo = useMutation({
    mutationFn: () => api.patch(`/resource/all/${resource.id}`, { [field]: resource[field] }),
    onSettled: invalidate,
    onError: (error) => showErrorToast(t('Couldn’t undo.'), error),
  })
  return useMutation({
    mutationFn: (source: string) =>
      api.post<FieldProvenance[]>(`/resource/all/${resource.id}/provenance/take_back`, { field, source }, { if_match: resource }),
    onSuccess: () => showToast(REVERTED_MESSAGES[field], () => undo.mutate()),
    onError: (error) => showErrorToast(t('Couldn’t revert to the source.'), error),
    onSettled: invalidate,
  })
}
