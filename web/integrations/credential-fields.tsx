import { Checkbox, Field, Input, TextArea } from '../ui/field.tsx'
import type { Typed } from './credentials.ts'
import type { CredentialField } from './queries.ts'

interface CredentialFieldsProps {
  readonly fields: readonly CredentialField[]
  readonly typed: Typed
  readonly onChange: (name: string, value: string | boolean) => void
  /** Names of the secrets that are set already. */
  readonly kept: readonly string[]
  readonly errors: Record<string, string[]>
}

/** The part of the form that differs from source to source, drawn from what the API says each takes. */
export const CredentialFields = ({ fields, typed, onChange, kept, errors }: CredentialFieldsProps) => (
  <div className="grid items-start gap-4 md:grid-cols-2">
    {fields.map((field) => {
      const { name, label, kind, required, secret, multiline, help } = field
      const value = typed[name]!
      const error = errors[`credentials.${name}`]
      if (typeof value === 'boolean')
        return (
          <div key={name} className="grid gap-1 self-center">
            <label className="flex items-center gap-2 text-sm font-medium">
              <Checkbox checked={value} onChange={({ target }) => onChange(name, target.checked)} />
              {label}
            </label>
            {(error || help) && <p className={error ? 'text-xs text-bad' : 'text-xs text-faint'}>{error?.join(' ') ?? help}</p>}
          </div>
        )
      const common = {
        value,
        onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
        placeholder: secret && kept.includes(name) ? 'Set. Leave empty to keep it.' : undefined,
      }
      return (
        <Field
          key={name}
          label={required ? label : `${label} (optional)`}
          hint={help}
          error={error}
          className={multiline ? 'md:col-span-2' : undefined}
        >
          {(props) =>
            multiline ? (
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
