import { useState } from 'react'
import { MentionTextArea } from '../editor/mention-text-area.tsx'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'

/** Form for a comment on an incident. */
export const CommentForm = ({
  acknowledges,
  busy,
  onSubmit,
}: {
  /** A comment on an active incident does. */
  acknowledges: boolean
  busy: boolean
  onSubmit: (comment: string, done: () => void) => void
}) => {
  const [text, setText] = useState('')
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onSubmit(text.trim(), () => setText(''))
      }}
    >
      <MentionTextArea
        aria-label={t('Comment // the text')}
        placeholder={acknowledges ? t('Add a comment… (acknowledges the incident)') : t('Add a comment…')}
        rows={2}
        maxLength={10_000}
        value={text}
        onChange={setText}
      />
      <Button type="submit" busy={busy} disabled={text.trim() === ''}>
        {t('Comment')}
      </Button>
    </form>
  )
}
