import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { isApiError } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  readonly title: string
  readonly submit: string
  readonly onClose: () => void
  readonly write: UseMutationResult<unknown, Error, void>
  readonly children: (errors: Record<string, string[]>) => ReactNode
}

/** A form in a dialog: Enter submits, and validation errors of the server are shown at their fields. */
export const FormDialog = ({ title, submit, onClose, write, children }: FormDialogProps) => {
  const id = useId()
  const errors = isApiError(write.error) ? write.error.errors : {}
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={id} look="primary" busy={write.isPending}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          write.mutate()
        }}
      >
        {children(errors)}
        {write.error && Object.keys(errors).length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {write.error.message}
          </p>
        )}
      </form>
    </Dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly action: string
  readonly onClose: () => void
  readonly write: UseMutationResult<unknown, Error, void>
  readonly children: ReactNode
}

/** Confirmation of a destructive action. */
export const Confirm = ({ title, action, onClose, write, children }: ConfirmProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    footer={
      <>
        <Button look="quiet" onClick={onClose} data-autofocus>
          {t('Cancel')}
        </Button>
        <Button look="danger" busy={write.isPending} onClick={() => write.mutate()}>
          {action}
        </Button>
      </>
    }
  >
    <div className="space-y-2 text-sm">{children}</div>
    {write.error && (
      <p role="alert" className="mt-2 text-sm text-bad">
        {write.error.message}
      </p>
    )}
  </Dialog>
)
