import { useMutation } from '@tanstack/react-query'
import { ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useNames } from '../../api/names.ts'
import type { Resource } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { useResourceOptions } from '../../search/use-resource-options.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Field, Input, TextArea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { cacheResource, saveResource } from '../use-edit.ts'

/** Marks a resource as deprecated: why, since when, and what to use instead. */
export const DeprecateDialog = ({ resource, onClose }: { resource: Resource; onClose: () => void }) => {
  const before = resource.deprecation
  const [reason, setReason] = useState(before?.reason ?? '')
  const [time] = useState(before?.since ?? new Date().toISOString())
  const [since, setSince] = useState(time.slice(0, 10))
  const [replacement_id, setReplacement] = useState(before?.replacement_id ?? null)
  const save = useMutation({
    mutationFn: () => {
      const isSameDay = time.slice(0, 10) === since
      return saveResource(resource, { deprecation: { reason: reason.trim() || null, replacement_id, since: isSameDay ? time : since } })
    },
    onSuccess: (after) => {
      cacheResource(after)
      const undo = () =>
        saveResource(after, { deprecation: before })
          .then(cacheResource)
          .catch((error) => showErrorToast(t('Not saved.'), error))
      showToast(t('Marked as deprecated'), () => void undo())
      onClose()
    },
  })
  return (
    <FormDialog title={t('Deprecate')} submit={t('Deprecate')} onClose={onClose} write={save}>
      {(errors) => (
        <>
          <Field label={t('Reason')} hint={t('Shown wherever the resource is named.')} error={errors['deprecation.reason']?.[0]}>
            {(props) => (
              <TextArea
                {...props}
                data-autofocus
                rows={3}
                maxLength={2000}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
          <Field label={t('Replacement')} error={errors['deprecation.replacement_id']?.[0]}>
            {(props) => <ReplacementPicker {...props} except={resource.id} chosen={replacement_id} onChoose={setReplacement} />}
          </Field>
          <Field label={t('Deprecated since')} error={errors['deprecation.since']?.[0]}>
            {(props) => <Input {...props} fit type="date" required value={since} onChange={({ target }) => setSince(target.value)} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

interface ReplacementPickerProps {
  readonly id: string
  readonly except: string
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
}

const ReplacementPicker = ({ id, except, chosen, onChoose }: ReplacementPickerProps) => {
  const name = useNames(chosen ? [chosen] : [])(chosen ?? '')?.name
  return (
    <span className="flex items-center gap-1">
      <Picker
        single
        label={t('Replacement')}
        {...useResourceOptions(except)}
        chosen={chosen ? [chosen] : []}
        onToggle={(picked) => onChoose(picked === chosen ? null : picked)}
        trigger={(props) => (
          <button type="button" {...props} id={id} className={buttonClass('plain')}>
            <span className="max-w-72 truncate">{chosen ? (name ?? chosen) : t('None')}</span> <ChevronDown aria-hidden size={15} />
          </button>
        )}
      />
      {chosen && <IconButton label={t('Remove replacement')} icon={X} onClick={() => onChoose(null)} />}
    </span>
  )
}
