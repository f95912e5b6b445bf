import { useEffect, useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { Input, Select } from '../ui/field.tsx'

/** Filters above a list, stored in the URL. */
interface TextFilterProps {
  readonly label: string
  readonly q: string | undefined
  readonly onChange: (q: string | undefined) => void
}

/** Text filter, written to the URL when typing pauses. */
export const TextFilter = ({ label, q = '', onChange }: TextFilterProps) => {
  const [words, setQuery] = useState(q)
  const settled = useThrottled(words.trim())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the URL
  useEffect(() => {
    if (settled !== q) onChange(settled || undefined)
  }, [settled])
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={t('Find by name')}
      value={words}
      onChange={({ target }) => setQuery(target.value)}
      className="md:max-w-64"
    />
  )
}

interface OptionFilterProps<T extends string> {
  readonly label: string
  /** Label when nothing is selected. */
  readonly any: string
  readonly options: Readonly<Record<string, string>>
  readonly value: T | undefined
  readonly onChoose: (value: T | undefined) => void
}

export const OptionFilter = <T extends string>({ label, any, options, value, onChoose }: OptionFilterProps<T>) => (
  // All options, plus an unknown value from the URL.
  <Select fit aria-label={label} value={value ?? ''} onChange={({ target }) => onChoose((target.value as T) || undefined)}>
    <option value="">{any}</option>
    {value && !(value in options) && <option value={value}>{value}</option>}
    {Object.entries(options).map(([id, words]) => (
      <option key={id} value={id}>
        {words}
      </option>
    ))}
  </Select>
)
