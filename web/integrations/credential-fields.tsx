import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { language } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { Checkbox, Field, Input, Select, TextArea } from '../ui/field.tsx'
import type { CredentialDraft } from './credentials.ts'
import { type CredentialField, hasPreviews, integrationsQuery, typesQuery } from './queries.ts'

interface CredentialFieldsProps {
  readonly fields: readonly CredentialField[]
  readonly typed: CredentialDraft
  readonly onChange: (name: string, value: string | boolean) => void
  /** Names of the secrets that are already stored. */
  readonly kept: readonly string[]
  /** The destination changed, so stored secrets must be entered again. */
  readonly again: boolean
  readonly errors: Record<string, string[]>
}

/** Fields shown first; the others are collapsed under "More". */
const PRIMARY_FIELDS: readonly string[] = ['port', 'database', 'user', 'password', 'ssl']
/** Inside a sentence: lower case, except in German. */
const toInline = (label: string): string => (language === 'de' ? label : label.toLowerCase())
const isPrimary = ({ name, required, secret }: CredentialField): boolean => required || secret || PRIMARY_FIELDS.includes(name)

/** Credential fields, rendered from the field list the API returns for each integration type. */
export const CredentialFields = ({ fields, ...props }: CredentialFieldsProps) => {
  const secondary = fields.filter((field) => !isPrimary(field))
  const wrong = secondary.some(({ name }) => props.errors[`credentials.${name}`])
  return (
    <>
      <FieldGrid fields={fields.filter(isPrimary)} {...props} />
      {secondary.length > 0 && (
        <details open={wrong || undefined} className="group rounded-lg border border-line">
          <summary className="cursor-pointer px-3 py-2 text-sm font-medium">
            {t('More')} <span className="font-normal text-faint">{secondary.map(({ label }) => toInline(label)).join(', ')}</span>
          </summary>
          <div className="p-3 pt-1">
            <FieldGrid fields={secondary} {...props} />
          </div>
        </details>
      )}
    </>
  )
}

/** Integrations whose tables can be queried. */
const QueryableIntegrations = (props: ComponentProps<typeof Select>) => {
  const types = useQuery(typesQuery).data
  const integrations = useQuery(integrationsQuery).data?.results ?? []
  return (
    <Select {...props}>
      <option value="">{t('None // no integration')}</option>
      {integrations
        .filter(({ type }) => types?.some((each) => each.type === type && hasPreviews(each)))
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </Select>
  )
}

const FieldGrid = ({ fields, typed, onChange, kept, again, errors }: CredentialFieldsProps) => (
  <div className="grid items-start gap-4 md:grid-cols-2">
    {fields.map((field) => {
      const { name, label, kind, required, secret, multiline, help } = field
      const value = typed[name]!
      const error = errors[`credentials.${name}`]
      if (typeof value === 'boolean')
        return (
          <div key={name} className={cx('grid gap-1', !help && !error ? 'md:mt-7.5' : 'self-center')}>
            <label className="flex items-center gap-2 text-sm font-medium">
              <Checkbox checked={value} onChange={({ target }) => onChange(name, target.checked)} />
              {label}
            </label>
            {(error || help) && (
              <p className={error ? 'text-xs text-bad first-letter:uppercase' : 'text-xs text-faint'}>{error?.join(' ') ?? help}</p>
            )}
          </div>
        )
      const requiredAgain = secret && kept.includes(name) && again
      const common = {
        value,
        onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
        placeholder: secret && kept.includes(name) && !again ? t('Already set. Leave blank to keep it.') : undefined,
        required: requiredAgain,
      }
      return (
        <Field
          key={name}
          label={required || requiredAgain ? label : t('{label} (optional)', { label })}
          hint={requiredAgain ? t('Enter this again because the connection changed.') : help}
          error={error}
          className={multiline ? 'md:col-span-2' : undefined}
        >
          {(props) =>
            name === 'log_integration' ? (
              <QueryableIntegrations {...props} {...common} />
            ) : multiline ? (
              <TextArea {...props} {...common} spellCheck={false} autoComplete="off" className="font-mono text-xs" />
            ) : (
              <Input
                {...props}
                {...common}
                type={secret ? 'password' : 'text'}
                inputMode={kind === 'number' ? 'numeric' : undefined}
                autoComplete={secret ? 'new-password' : 'off'}
              />
            )
          }
        </Field>
      )
    })}
  </div>
)
