import { ChevronDown } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { Picker } from '../ui/picker.tsx'
import { findWholeContainers, listContainers, toggleContainer } from './schema-patterns.ts'

interface SchemaPatternPickerProps {
  readonly names: readonly { readonly path: readonly string[] }[]
  readonly include: string
  readonly exclude: string
  readonly onInclude: (patterns: string) => void
  readonly onExclude: (patterns: string) => void
}

/** Chooses schemas of the source instead of typing their patterns. */
export const SchemaPatternPicker = ({ names, include, exclude, onInclude, onExclude }: SchemaPatternPickerProps) => {
  const options = listContainers(names).map(({ name, count }) => ({ id: name, label: name, hint: t('{n:# name|# names}', { n: count }) }))
  if (options.length === 0) return null
  const picker = (label: string, patterns: string, onChange: (patterns: string) => void) => (
    <Picker
      label={label}
      options={options}
      chosen={findWholeContainers(patterns)}
      onToggle={(name) => onChange(toggleContainer(patterns, name))}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true)}>
          {label} <ChevronDown aria-hidden size={14} />
        </button>
      )}
    />
  )
  return (
    <div className="flex flex-wrap gap-2">
      {picker(t('Choose what to include'), include, onInclude)}
      {picker(t('Choose what to exclude'), exclude, onExclude)}
    </div>
  )
}
