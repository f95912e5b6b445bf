import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { showErrorToast } from '../../ui/toast.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly label: string
  readonly value: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shows a secret that cannot be read again later. */
export const SecretDialog = ({ title, label, value, onClose, children }: SecretDialogProps) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value) // needs https or localhost
      setCopied(true)
    } catch (error) {
      showErrorToast(t('Couldn’t copy. Select the text and copy it manually.'), error)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="grid gap-3">
        <p className="text-sm">{children}</p>
        <div className="flex gap-2">
          <Input
            readOnly
            aria-label={label}
            value={value}
            onFocus={({ target }) => target.setSelectionRange(0, value.length, 'backward')}
            className="font-mono text-sm"
            data-autofocus
          />
          <Button icon={copied ? Check : Copy} onClick={() => void copy()}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
