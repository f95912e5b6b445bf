import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { Job } from '../../api/job.ts'
import { queryClient } from '../../api/query-client.ts'
import type { ResourceView } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { entityTypeInText } from '../../ui/entity-type.tsx'
import { Confirm } from '../../ui/form-dialog.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'

interface DeleteDialogProps {
  readonly view: ResourceView
  /** Opens the parent after deleting, and the resource again after undoing that. Default: their own pages. */
  readonly open?: (id: string | undefined) => Promise<void>
  readonly onClose: () => void
}

/** Confirms deleting a resource with everything in it; it can be undone from the message that follows. */
export const DeleteDialog = ({ view: { resource, breadcrumbs }, open, onClose }: DeleteDialogProps) => {
  const navigate = useNavigate()
  const show = open ?? ((id) => (id ? navigate({ to: '/r/$id', params: { id } }) : navigate({ to: '/search' })))
  const remove = useMutation({
    mutationFn: () => api.delete<Job | null>(`/resource/all/${resource.id}`, { if_match: resource }),
    onSuccess: async (job) => {
      const undo = () =>
        api
          .post(`/resource/all/${resource.id}/restore`, {})
          .then(() => show(resource.id))
          .catch((error) => showErrorToast(t('Couldn’t restore it.'), error))
      if (job) showToast(t('Deleting {title} in the background', { title: resource.title }))
      else showToast(t('{title} deleted', { title: resource.title }), () => void undo())
      await show(breadcrumbs.at(-1)?.id)
      queryClient.removeQueries({ queryKey: ['resource', resource.id] })
      for (const list of ['catalog', 'tree', 'home', 'trash']) void queryClient.invalidateQueries({ queryKey: [list] })
    },
  })
  const title = <span className="font-medium break-words">{resource.title}</span>
  return (
    <Confirm
      title={t('Delete this {kind}?', { kind: entityTypeInText(resource.entity_type) })}
      action={t('Delete')}
      onClose={onClose}
      write={remove}
    >
      <p>
        {resource.integration === null && resource.children_count > 0 ? (
          <Trans
            message="This removes {title} and everything in it ({n:# direct child|# direct children})."
            title={title}
            n={resource.children_count}
          />
        ) : resource.integration === null ? (
          <Trans message="This removes {title}." title={title} />
        ) : resource.children_count > 0 ? (
          <Trans
            message="This removes {title} and everything in it ({n:# direct child|# direct children}) from the catalog. The source isn’t affected."
            title={title}
            n={resource.children_count}
          />
        ) : (
          <Trans message="This removes {title} from the catalog. The source isn’t affected." title={title} />
        )}
      </p>
      <p className="text-soft">{t('You can restore it from the trash for 90 days.')}</p>
    </Confirm>
  )
}
