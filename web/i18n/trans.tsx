import { Fragment, type ReactNode } from 'react'
import { type Placeholders, selectPluralForm, splitTemplate } from './messages.ts'

/** A message with React nodes as values: `<Trans message="{who} owns this" who={<Person … />} />`. */
export const Trans = <const S extends string>({ message, ...values }: { message: S } & { readonly [name in Placeholders<S>]: ReactNode }) =>
  splitTemplate(message, (name, forms) => {
    const value = (values as Readonly<Record<string, ReactNode>>)[name]
    return typeof value === 'number' && forms !== undefined ? selectPluralForm(value, forms) : value
  }).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message have no other key
    <Fragment key={i}>{part as ReactNode}</Fragment>
  ))
