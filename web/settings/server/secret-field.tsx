import { t } from '../../i18n/messages.ts'
import { Field, Input } from '../../ui/field.tsx'

interface SecretFieldProps {
  readonly label: string
  readonly value: string
  /** One is stored. */
  readonly stored: boolean
  /** The destination changed, so that the stored one is not used. */
  readonly again: boolean
  readonly hint?: string
  readonly error?: string[]
  readonly className?: string
  readonly onChange: (value: string) => void
}

/** A secret that can be set and never read. */
export const SecretField = ({ label, value, stored, again, hint, error, className, onChange }: SecretFieldProps) => (
  <Field
    label={label}
    error={error}
    className={className}
    hint={stored && again ? t('Enter this again because the connection changed.') : (hint ?? t('It is encrypted and never shown.'))}
  >
    {(props) => (
      <Input
        {...props}
        type="password"
        autoComplete="new-password"
        placeholder={stored && !again ? t('Already set. Leave blank to keep it.') : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
