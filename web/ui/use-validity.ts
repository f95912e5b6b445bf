import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../i18n/messages.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The browser's own message would be in its language instead of ours, and gone with the next click. */
const describeInvalid = (control: Control): string => {
  const { validity, type } = control
  if (type === 'number' && validity.badInput) return t('Enter a number, e.g. 12.5.')
  if (validity.valueMissing) return t('Enter a value.')
  if (type === 'email') return t('Enter an e-mail address, e.g. name@example.com.')
  if (type === 'url') return t('Enter a full URL, e.g. https://example.com.')
  if (validity.patternMismatch) return t('This value contains characters that are not allowed.')
  if (control instanceof HTMLSelectElement) return t('Enter a value.')
  if (validity.tooShort) return t('Enter at least {n:# character|# characters}.', { n: control.minLength })
  if (control instanceof HTMLTextAreaElement) return t('Enter a value.')
  const isNumber = type === 'number'
  if (validity.rangeUnderflow) return isNumber ? t('Enter at least {limit}.', { limit: control.min }) : t('Enter a later date or time.')
  if (validity.rangeOverflow) return isNumber ? t('Enter at most {limit}.', { limit: control.max }) : t('Enter an earlier date or time.')
  return isNumber && (control.step === '' || control.step === '1') ? t('Enter a whole number.') : t('Enter a value.')
}

const isFirstInvalid = (control: Control): boolean =>
  control.form?.querySelector('input:invalid, select:invalid, textarea:invalid') === control

/** What is wrong with a control when its form is submitted, instead of the browser's bubble. The first one gets the focus. */
export const useValidity = () => {
  const [message, setMessage] = useState<string>()
  const onInvalidCapture = (event: FormEvent) => {
    event.preventDefault()
    const control = event.target as Control
    flushSync(() => setMessage(describeInvalid(control))) // before the focus: screen readers read it with the control
    if (isFirstInvalid(control)) control.focus()
  }
  // Not in the capture phase: rendered before `onChange` runs, a controlled input would lose what was typed.
  return { message, events: { onInvalidCapture, onInput: () => setMessage(undefined) } }
}
