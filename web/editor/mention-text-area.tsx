import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from 'react'
import { peopleQuery } from '../api/picker-options.ts'
import { useCan } from '../api/session.ts'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cx } from '../ui/cx.ts'
import { TextArea } from '../ui/field.tsx'
import { useCaret } from '../ui/use-caret.ts'
import { findTypedMention, MAX_PEOPLE } from './mentions.ts'

interface MentionTextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A text field in which `@` suggests people; selecting one inserts the mention that notifies them. */
export const MentionTextArea = ({ value, onChange, ...props }: MentionTextAreaProps) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const moveCaret = useCaret(field)
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const words = useThrottled(typed ?? '')
  const { data } = useQuery({ ...peopleQuery(words), enabled: useCan('people.read') && typed !== undefined })
  const people = typed === undefined ? [] : (data?.results ?? []).slice(0, MAX_PEOPLE)
  const selected = Math.min(active, people.length - 1)

  const look = ({ value, selectionEnd }: HTMLTextAreaElement) => {
    setTyped(findTypedMention(value.slice(0, selectionEnd)))
    setActive(0)
  }
  const insert = (email: string) => {
    const box = field.current!
    const start = box.selectionEnd - typed!.length
    const mention = `${email} `
    onChange(`${value.slice(0, start)}${mention}${value.slice(box.selectionEnd)}`)
    setTyped(undefined)
    box.focus()
    moveCaret(start + mention.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (people.length === 0) return
    if (event.key === 'ArrowDown') setActive((selected + 1) % people.length)
    else if (event.key === 'ArrowUp') setActive((selected + people.length - 1) % people.length)
    else if (event.key === 'Enter' || event.key === 'Tab') insert(people[selected]!.email)
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative w-full">
      <TextArea
        {...props}
        ref={field}
        value={value}
        aria-autocomplete="list"
        aria-controls={people.length > 0 ? id : undefined}
        aria-activedescendant={people.length > 0 ? `${id}-${selected}` : undefined}
        onChange={({ target }) => {
          onChange(target.value)
          look(target)
        }}
        onClick={({ currentTarget }) => look(currentTarget)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
      {people.length > 0 && (
        <div
          id={id}
          role="listbox"
          aria-label={t('People')}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-auto rounded-md border border-line bg-bg p-1 shadow-lg"
        >
          {people.map(({ id: key, name, email }, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
            <div
              key={key}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === selected}
              className={cx('flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm', i === selected && 'bg-hover')}
              onMouseDown={(event) => event.preventDefault()} // keeps the focus in the field
              onClick={() => insert(email)}
            >
              <Avatar name={name} />
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {name}
                <span className="ps-2 text-xs text-faint">{email}</span>
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
