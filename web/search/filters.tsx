import { useEffect, useState } from 'react'
import { useSettled } from '../api/use-settled.ts'
import { Input, Select } from '../ui/field.tsx'
import { t } from '../words/words.ts'

/** What a list is narrowed by, above it: words and choices, which stand in the address. */
interface WordsProps {
  readonly label: string
  readonly q: string | undefined
  readonly onChange: (q: string | undefined) => void
}

/** Words for the address, once they are typed. */
export const Words = ({ label, q = '', onChange }: WordsProps) => {
  const [words, setWords] = useState(q)
  const settled = useSettled(words.trim())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed leads to another address
  useEffect(() => {
    if (settled !== q) onChange(settled || undefined)
  }, [settled])
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={t('Find by name')}
      value={words}
      onChange={({ target }) => setWords(target.value)}
      className="md:max-w-64"
    />
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  /** When nothing is chosen. */
  readonly any: string
  readonly options: Readonly<Record<string, string>>
  readonly value: T | undefined
  readonly onChoose: (value: T | undefined) => void
}

export const Choice = <T extends string>({ label, any, options, value, onChoose }: ChoiceProps<T>) => (
  // The options are all the values there are, and one that came with the address.
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
