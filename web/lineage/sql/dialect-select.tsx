import { t } from '../../i18n/messages.ts'
import { Select } from '../../ui/field.tsx'
import { DIALECTS } from './dialects.ts'

/** Select field for the SQL dialect. */
export const DialectSelect = ({ value, onChange }: { value: string; onChange: (dialect: string) => void }) => (
  <Select fit className="text-sm" aria-label={t('Dialect')} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {!(value in DIALECTS) && <option value={value}>{value}</option>}
    {Object.entries(DIALECTS).map(([name, label]) => (
      <option key={name} value={name}>
        {label}
      </option>
    ))}
  </Select>
)
