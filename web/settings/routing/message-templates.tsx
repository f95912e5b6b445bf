import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import { useThrottled } from '../../api/use-throttled.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select, TextArea } from '../../ui/field.tsx'
import { QueryView } from '../../ui/states.tsx'
import { type MessageTemplate, messageTemplatesQuery, templatePreviewQuery } from '../shared/queries.ts'
import { SectionHeader } from '../shared/rows.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { CHANNEL_TYPES } from './channel-types.ts'

const EVENTS: Record<MessageTemplate['event'], string> = {
  incident_opened: t('Incident opened'),
  incident_resolved: t('Incident resolved'),
  schema_changed: t('Schema changed'),
}
/** What each placeholder stands for. */
const HINTS: Readonly<Record<string, string>> = {
  headline: t('The default title'),
  summary: t('The default text, without the impact'),
  resource: t('Name of the table or column'),
  impact: t('How many downstream resources depend on it, and their owners'),
  link: t('Link to the page'),
  monitor: t('Name of the monitor'),
  severity: t('Severity'),
  value: t('Measured value'),
  expected: t('Expected range'),
  since: t('When the incident began'),
  by: t('Who resolved it'),
  breaks: t('How many downstream resources may break'),
}
const CHANNELS: readonly MessageTemplate['channel'][] = ['slack', 'teams', 'email', 'pagerduty', 'opsgenie']

/** The texts of messages, with a preview. */
export const MessageTemplates = () => {
  const [channel, setChannel] = useState<MessageTemplate['channel']>('slack')
  const [event, setEvent] = useState<MessageTemplate['event']>('incident_opened')
  return (
    <section aria-label={t('Message texts')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <SectionHeader
        title={t('Message texts')}
        about={t('Titles and texts of messages about incidents and schema changes, for each type of channel.')}
      />
      <QueryView of={useQuery(messageTemplatesQuery)}>
        {(templates) => {
          const template = templates.find((each) => each.channel === channel && each.event === event)!
          return (
            <div className="grid gap-4 rounded-lg border border-line p-3">
              <div className="flex flex-wrap items-end gap-3">
                <Field label={t('Channel')}>
                  {(props) => (
                    <Select {...props} fit value={channel} onChange={({ target }) => setChannel(target.value as typeof channel)}>
                      {CHANNELS.map((id) => (
                        <option key={id} value={id}>
                          {CHANNEL_TYPES[id].label}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
                <Field label={t('Event')}>
                  {(props) => (
                    <Select {...props} fit value={event} onChange={({ target }) => setEvent(target.value as typeof event)}>
                      {Object.entries(EVENTS).map(([id, label]) => (
                        <option key={id} value={id}>
                          {label}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
                <span className="pb-1.5">
                  {template.custom ? <Badge tone="accent">{t('Changed')}</Badge> : <Badge>{t('Default')}</Badge>}
                </span>
              </div>
              <TemplateForm key={`${channel} ${event} ${template.updated_at}`} template={template} />
            </div>
          )
        }}
      </QueryView>
    </section>
  )
}

const TemplateForm = ({ template }: { template: MessageTemplate }) => {
  const { channel, event, custom, placeholders } = template
  const [title, setTitle] = useState(template.title)
  const [body, setBody] = useState(template.body)
  const area = useRef<HTMLTextAreaElement>(null)
  const path = `/notification/templates/${channel}/${event}`
  const staleKeys = ['message-templates']
  const save = useSettingsMutation({ perform: () => api.put(path, { title, body }), staleKeys, done: t('Saved') })
  const reset = useSettingsMutation({ perform: () => api.delete(path), staleKeys, failed: t('Not saved.') })
  const errors = isApiError(save.error) ? save.error.errors : {}
  const insert = (name: string) => {
    const at = area.current?.selectionStart ?? body.length
    setBody(`${body.slice(0, at)}{{${name}}}${body.slice(area.current?.selectionEnd ?? at)}`)
    area.current?.focus()
  }
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <form
        className="grid min-w-0 content-start gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field label={t('Title')} error={errors.title}>
          {(props) => (
            <Input
              {...props}
              required
              maxLength={200}
              className="font-mono text-xs"
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        <Field label={t('Text')} hint={t('Lines whose placeholders have no value are left out.')} error={errors.body}>
          {(props) => (
            <TextArea
              {...props}
              ref={area}
              rows={6}
              maxLength={5000}
              spellCheck={false}
              className="font-mono text-xs"
              value={body}
              onChange={({ target }) => setBody(target.value)}
            />
          )}
        </Field>
        <div role="group" aria-label={t('Placeholders')} className="flex flex-wrap gap-1">
          {placeholders.map(({ name }) => (
            <button
              key={name}
              type="button"
              title={HINTS[name]}
              className="rounded-md border border-line bg-raised px-1.5 py-0.5 font-mono text-xs text-soft hover:bg-hover"
              onClick={() => insert(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={save.isPending} disabled={title === template.title && body === template.body}>
            {t('Save')}
          </Button>
          {custom && (
            <Button icon={RotateCcw} busy={reset.isPending} onClick={() => reset.mutate()}>
              {t('Reset to default')}
            </Button>
          )}
        </div>
      </form>
      <Preview {...{ channel, event, title, body }} />
    </div>
  )
}

const Preview = (draft: Pick<MessageTemplate, 'channel' | 'event' | 'title' | 'body'>) => {
  const settled = useThrottled(JSON.stringify(draft))
  const preview = useQuery({ ...templatePreviewQuery(JSON.parse(settled)), placeholderData: keepPreviousData })
  const errors = isApiError(preview.error) ? Object.values(preview.error.errors).flat() : []
  return (
    <section aria-label={t('Preview')} className="min-w-0">
      <h3 className="mb-1 text-sm font-medium">{t('Preview')}</h3>
      {errors.length > 0 && <p className="mb-1 text-xs text-bad first-letter:uppercase">{errors.join(' ')}</p>}
      {preview.data && (
        <>
          <div className="grid gap-1 rounded-md border border-line bg-sunken p-3 text-sm">
            <p className="font-semibold break-words" dir="auto">
              {preview.data.title}
            </p>
            {preview.data.lines.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
              <p key={i} className="break-words" dir="auto">
                {line}
              </p>
            ))}
          </div>
          <p className="mt-1 text-xs text-faint">
            {preview.data.resource_title === null ? (
              t('With example values, because nothing has happened yet.')
            ) : (
              <Trans message="With the newest event: {name}" name={<span dir="auto">{preview.data.resource_title}</span>} />
            )}
          </p>
        </>
      )}
    </section>
  )
}
