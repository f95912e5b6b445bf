import { useMutation } from '@tanstack/react-query'
import { CircleAlert, Square, Wrench } from 'lucide-react'
import { api } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import type { Answer } from './queries.ts'

type Step = Answer['steps'][number]

const TOOLS: Readonly<Record<string, string>> = {
  search: t('Searched the catalog'),
  search_documentation: t('Searched glossary and documents'),
  get_entity: t('Read a resource'),
  get_owners: t('Looked up owners'),
  get_lineage: t('Read lineage'),
  get_impact: t('Read the impact of a change'),
  check_gate: t('Checked whether a table can be relied on'),
  list_monitors: t('Read monitors'),
  list_incidents: t('Read incidents'),
  preview_table: t('Read rows of a table'),
  get_profile: t('Read column statistics'),
  list_queries: t('Read queries'),
  suggest_change: t('Suggested a change'),
}

/** A question and what the assistant has answered so far. */
export const QuestionAndAnswer = ({ answer }: { answer: Answer }) => {
  const isRunning = answer.status === 'running'
  return (
    <article className="grid gap-3" aria-busy={isRunning}>
      <h2 className="justify-self-end rounded-lg bg-accent-soft px-3 py-2 whitespace-pre-wrap wrap-anywhere max-w-[85%]" dir="auto">
        {answer.question}
      </h2>
      {answer.steps.length > 0 && <Steps steps={answer.steps} open={isRunning} />}
      {answer.text !== '' && <Markdown text={answer.text} />}
      {isRunning && <Running answer={answer} />}
      {answer.error !== null && (
        <p role="alert" className="flex items-start gap-2 text-sm text-soft">
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
          {STATUS_TEXTS[answer.status] ?? answer.error}
        </p>
      )}
    </article>
  )
}

const STATUS_TEXTS: Partial<Record<Answer['status'], string>> = {
  cancelled: t('This answer was cancelled.'),
  interrupted: t('This answer was interrupted because the server stopped. Ask again.'),
}

const Running = ({ answer: { id } }: { answer: Answer }) => {
  const cancel = useMutation({
    mutationFn: () => api.post(`/ai/answers/${id}/cancel`),
    onError: (error) => showErrorToast(t('Couldn’t cancel.'), error),
  })
  return (
    <div className="flex items-center gap-3 text-sm text-soft">
      <span role="status">{t('Answering…')}</span>
      <Button small icon={Square} busy={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
        {t('Stop // an answer')}
      </Button>
    </div>
  )
}

/** What was looked up for the answer. */
const Steps = ({ steps, open }: { steps: readonly Step[]; open: boolean }) => (
  <details open={open} className="text-sm text-soft">
    <summary className="cursor-pointer">{t('{n:# step|# steps}', { n: steps.length })}</summary>
    <ol className="mt-1 grid gap-1 border-s border-line ps-3">
      {steps.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added
        <li key={i} className="flex flex-wrap items-baseline gap-x-2">
          <Wrench aria-hidden size={13} className="self-center text-faint" />
          <span>{TOOLS[step.tool] ?? step.title}</span>
          <code className="font-mono text-xs wrap-anywhere text-faint">{formatArguments(step.arguments)}</code>
          {step.failed ? (
            <span className="text-bad wrap-anywhere">{step.error}</span>
          ) : (
            step.total !== null && <span className="text-faint">{t('{n:# result|# results}', { n: step.total })}</span>
          )}
        </li>
      ))}
    </ol>
  </details>
)

const formatArguments = (args: unknown): string =>
  Object.entries((args ?? {}) as Record<string, unknown>)
    .filter(([name]) => name !== 'max_tokens' && name !== 'cursor')
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
    .slice(0, 200)
