import { Copy } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Button } from './button.tsx'
import { showErrorToast, showToast } from './toast.tsx'

export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text) // needs https or localhost
    showToast(t('Copied'))
  } catch (error) {
    showErrorToast(t('Couldn’t copy. Select the text and copy it manually.'), error)
  }
}

/** A shell command with a copy button; `label` is the button's accessible name. */
export const CopyableCommand = ({ text, label }: { text: string; label: string }) => (
  <div className="flex min-w-0 items-start gap-2 rounded-md border border-line bg-sunken p-2">
    <code className="min-w-0 flex-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{text}</code>
    <Button small look="quiet" icon={Copy} aria-label={label} onClick={() => void copyText(text)}>
      {t('Copy')}
    </Button>
  </div>
)
