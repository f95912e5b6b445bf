import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../ui/field.tsx'
import { QueryView } from '../ui/states.tsx'
import { SectionHeader } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

type Settings = Schemas['AssistantSettings']

const settingsQuery = queryOptions({
  queryKey: ['assistant-settings'],
  queryFn: ({ signal }) => api.get<Settings>('/ai/settings', { signal }),
})

const DEFAULT_URLS: Readonly<Record<Settings['provider'], string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
}

/** The language model of the assistant and its limits. */
export const AssistantSettings = () => (
  <>
    <SectionHeader
      title={t('Assistant')}
      about={t(
        'A language model that answers questions with the tools of the catalog, as the person who asks. What it reads is sent to the model.',
      )}
    />
    <QueryView of={useQuery(settingsQuery)}>{(settings) => <SettingsForm settings={settings} />}</QueryView>
  </>
)

const SettingsForm = ({ settings }: { settings: Settings }) => {
  const { has_key, updated_at, ...saved } = settings
  const [draft, setDraft] = useState(saved)
  const [key, setKey] = useState('')
  const [withoutKey, setWithoutKey] = useState(false)
  const set = (change: Partial<typeof saved>) => setDraft({ ...draft, ...change })
  const moves = draft.url !== saved.url || draft.provider !== saved.provider
  const save = useSettingsMutation({
    perform: () => {
      const secret = withoutKey ? { key: null } : key.trim() === '' ? {} : { key: key.trim() }
      return api.put<Settings>('/ai/settings', { ...draft, ...secret })
    },
    staleKeys: ['assistant-settings', 'bootstrap', 'assistant-status'],
    done: t('Saved'),
    onSuccess: () => setKey(''),
  })
  const test = useMutation({ mutationFn: () => api.post<Schemas['ModelTest']>('/ai/settings/test') })
  const errors = isApiError(save.error) ? save.error.errors : {}
  return (
    <form
      className="grid max-w-2xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Check label={t('Turn the assistant on')} checked={draft.enabled} onChange={(enabled) => set({ enabled })} />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label={t('Protocol')} hint={t('Ollama, vLLM and many others use the OpenAI protocol.')} error={errors.provider}>
          {(props) => (
            <Select
              {...props}
              value={draft.provider}
              onChange={({ target }) => {
                const provider = target.value as Settings['provider']
                set({ provider, ...(draft.url === DEFAULT_URLS[draft.provider] && { url: DEFAULT_URLS[provider] }) })
              }}
            >
              {PROVIDERS.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('Model')} error={errors.model}>
          {(props) => <Input {...props} maxLength={200} value={draft.model} onChange={({ target }) => set({ model: target.value })} />}
        </Field>
        <Field
          label={t('URL')}
          error={errors.url}
          className="sm:col-span-2"
          hint={t('Private addresses must be allowed with TABLINUM_WEBHOOK_ALLOW.')}
        >
          {(props) => <Input {...props} type="url" required value={draft.url} onChange={({ target }) => set({ url: target.value })} />}
        </Field>
        <Field
          label={t('API key')}
          error={errors.key}
          className="sm:col-span-2"
          hint={has_key && !moves ? t('A key is stored. Leave blank to keep it.') : t('It is encrypted and never shown.')}
        >
          {(props) => (
            <Input
              {...props}
              type="password"
              autoComplete="off"
              maxLength={1000}
              disabled={withoutKey}
              value={key}
              onChange={({ target }) => setKey(target.value)}
            />
          )}
        </Field>
        <Check label={t('Send no key, e.g. to Ollama')} checked={withoutKey} onChange={setWithoutKey} />
      </div>
      <Check
        label={t('Let the model see rows and statistics of tables')}
        about={t('Columns with personal data stay masked. Without this, it sees only what the catalog says about a table.')}
        checked={draft.share_values}
        onChange={(share_values) => set({ share_values })}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <NumberField
          label={t('Tokens per person and day')}
          value={draft.tokens_per_day}
          error={errors.tokens_per_day}
          onChange={(n) => set({ tokens_per_day: n ?? 0 })}
        />
        <NumberField
          label={t('Cost per person and day')}
          hint={t('Blank: no limit. Needs both prices.')}
          value={draft.cost_per_day}
          step="any"
          error={errors.cost_per_day}
          onChange={(cost_per_day) => set({ cost_per_day })}
        />
        <NumberField
          label={t('Price of a million input tokens')}
          value={draft.input_price}
          step="any"
          error={errors.input_price}
          onChange={(input_price) => set({ input_price })}
        />
        <NumberField
          label={t('Price of a million output tokens')}
          value={draft.output_price}
          step="any"
          error={errors.output_price}
          onChange={(output_price) => set({ output_price })}
        />
        <NumberField
          label={t('Response timeout in seconds')}
          value={draft.timeout_seconds}
          error={errors.timeout_seconds}
          onChange={(n) => set({ timeout_seconds: n ?? 60 })}
        />
        <NumberField
          label={t('Days conversations are kept')}
          value={draft.retention_days}
          error={errors.retention_days}
          onChange={(n) => set({ retention_days: n ?? 90 })}
        />
      </div>
      {save.error && Object.keys(errors).length === 0 && (
        <p role="alert" className="text-sm text-bad">
          {save.error.message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('Save')}
        </Button>
        <Button busy={test.isPending} disabled={updated_at === null} onClick={() => test.mutate()}>
          {t('Test the saved settings')}
        </Button>
        {test.data && (
          <p role="status" className={test.data.ok ? 'text-sm text-good' : 'text-sm text-bad'}>
            {test.data.ok ? t('The model answered: {text}', { text: test.data.message }) : test.data.message}
          </p>
        )}
        {test.error && (
          <p role="alert" className="text-sm text-bad">
            {test.error.message}
          </p>
        )}
      </div>
    </form>
  )
}

const PROVIDERS = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
] as const

interface CheckProps {
  readonly label: string
  readonly about?: ReactNode
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

const Check = ({ label, about, checked, onChange }: CheckProps) => (
  <label className="flex items-start gap-2 text-sm">
    <Checkbox className="mt-0.5" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {label}
      {about && <span className="block text-xs text-faint">{about}</span>}
    </span>
  </label>
)

interface NumberFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: number | null
  readonly step?: 'any'
  readonly error?: string[]
  readonly onChange: (value: number | null) => void
}

const NumberField = ({ label, hint, value, step, error, onChange }: NumberFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(props) => (
      <Input
        {...props}
        type="number"
        min={0}
        step={step ?? 1}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
      />
    )}
  </Field>
)
