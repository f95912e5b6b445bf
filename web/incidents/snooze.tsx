import { BellOff, BellRing, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import type { Incident, IncidentEdit } from './queries.ts'

const HOUR_MS = 3_600_000
const MORNING = 9 // o'clock
const timeFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

const formatSnoozeEnd = (until: string): string => timeFormat.format(new Date(until))

/** The next morning, or that of the next Monday. */
const nextMorning = (now: Date, monday = false): Date => {
  const days = monday ? (8 - now.getDay()) % 7 || 7 : 1
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
}

/** The value of a `datetime-local` field, which has no zone. */
const toLocalInput = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export const SnoozeBadge = ({ of: { status, snoozed_until } }: { of: Pick<Incident, 'status' | 'snoozed_until'> }) =>
  snoozed_until && status !== 'resolved' ? (
    <Badge tone="accent" icon={BellOff}>
      {t('Snoozed until {time}', { time: formatSnoozeEnd(snoozed_until) })}
    </Badge>
  ) : null

interface SnoozeProps {
  readonly incident: Incident
  readonly busy: boolean
  readonly onEdit: (edit: IncidentEdit, message: string) => void
}

/** Snoozes an open incident until a time of a menu or a chosen one, or ends the snooze. */
export const SnoozeButton = ({ incident: { snoozed_until }, busy, onEdit }: SnoozeProps) => {
  const [choosing, setChoosing] = useState(false)
  const snooze = (until: Date) =>
    onEdit({ snoozed_until: until.toISOString() }, t('Snoozed until {time}', { time: formatSnoozeEnd(until.toISOString()) }))
  if (snoozed_until)
    return (
      <Button icon={BellRing} busy={busy} onClick={() => onEdit({ snoozed_until: null }, t('Snooze ended'))}>
        {t('End snooze')}
      </Button>
    )
  const now = new Date()
  const choices = [
    [t('1 hour'), new Date(now.getTime() + HOUR_MS)],
    [t('4 hours'), new Date(now.getTime() + 4 * HOUR_MS)],
    [t('Until tomorrow'), nextMorning(now)],
    [t('Until Monday'), nextMorning(now, true)],
  ] as const
  return (
    <>
      <Menu
        label={t('Snooze')}
        trigger={(props) => (
          <Button {...props} icon={BellOff} busy={busy} title={t('No notifications until the time you choose')}>
            {t('Snooze')}
            <ChevronDown aria-hidden size={14} />
          </Button>
        )}
        items={[
          ...choices.map(([label, until]) => ({ label, hint: timeFormat.format(until), onSelect: () => snooze(until) })),
          { label: t('Choose a time…'), onSelect: () => setChoosing(true) },
        ]}
      />
      {choosing && <SnoozeDialog onClose={() => setChoosing(false)} onSnooze={snooze} />}
    </>
  )
}

const SnoozeDialog = ({ onClose, onSnooze }: { onClose: () => void; onSnooze: (until: Date) => void }) => {
  const [text, setText] = useState(() => toLocalInput(nextMorning(new Date())))
  const until = new Date(text)
  const valid = until.getTime() > Date.now()
  return (
    <Dialog
      title={t('Snooze incident')}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form="snooze" look="primary">
            {t('Snooze')}
          </Button>
        </>
      }
    >
      <form
        id="snooze"
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!valid) return
          onClose()
          onSnooze(until)
        }}
      >
        <Field
          label={t('Until')}
          error={valid ? undefined : t('Choose a time in the future.')}
          hint={t('The incident stays open. It is notified again when the snooze ends.')}
        >
          {(props) => (
            <Input
              {...props}
              type="datetime-local"
              data-autofocus
              required
              value={text}
              min={toLocalInput(new Date())}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
