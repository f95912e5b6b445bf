import type { ComponentProps, ReactNode } from 'react'
import { LanguageMenu } from '../i18n/language-menu.tsx'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useTitle } from '../ui/page.tsx'

/** Layout of the pages shown before sign-in. */
export const SignInCard = ({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) => {
  useTitle(title)
  return (
    <main className="grid min-h-dvh place-items-center bg-sunken p-4">
      <div className="w-full max-w-sm">
        <div className="mb-5 grid justify-items-center gap-3 text-center">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <h1 className="text-xl font-semibold">{title}</h1>
          {about && <p className="text-sm text-soft">{about}</p>}
        </div>
        <div className="grid gap-4 rounded-xl border border-line bg-raised p-5">{children}</div>
        <div className="mt-3 flex justify-center">
          <LanguageMenu quiet label={t('Language')} />
        </div>
      </div>
    </main>
  )
}

interface SignInCardFormProps {
  readonly submit: string
  readonly busy: boolean
  /** Error from the server. */
  readonly problem?: string
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/** Focuses the first field. */
const focusFirstInput = (form: HTMLFormElement | null) => form?.querySelector<HTMLInputElement>('input')?.focus()

/** Form of the sign-in pages. */
export const SignInCardForm = ({ submit, busy, problem, onSubmit, children }: SignInCardFormProps) => (
  <form
    ref={focusFirstInput}
    className="grid gap-3"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    {problem && (
      <p role="alert" className="text-sm text-bad">
        {problem}
      </p>
    )}
    <Button type="submit" look="primary" busy={busy}>
      {submit}
    </Button>
  </form>
)

interface SignInFieldProps extends Omit<ComponentProps<typeof Input>, 'onChange' | 'value'> {
  readonly label: string
  readonly hint?: string
  readonly error?: string | string[]
  readonly value: string
  readonly onChange: (value: string) => void
}

export const SignInField = ({ label, hint, error, onChange, ...input }: SignInFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(props) => <Input {...props} {...input} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)
