import { Fragment, type ReactNode } from 'react'
import { cut, form, type Slots } from './words.ts'

/** A message with React nodes as values: `<Say words="{who} owns this" who={<Person … />} />`. */
export const Say = <const S extends string>({ words, ...values }: { words: S } & { readonly [name in Slots<S>]: ReactNode }) =>
  cut(words, (name, forms) => {
    const value = (values as Readonly<Record<string, ReactNode>>)[name]
    return typeof value === 'number' && forms !== undefined ? form(value, forms) : value
  }).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message have no other key
    <Fragment key={i}>{part as ReactNode}</Fragment>
  ))
