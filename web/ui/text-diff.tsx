import { useQuery } from '@tanstack/react-query'
import { cx } from './cx.ts'
import { Skeleton } from './states.tsx'

const CONTEXT_LINES = 3 // unchanged lines shown around a change

interface Line {
  readonly sign: '+' | '−' | ' '
  readonly text: string
}

/** Line diff of two texts. */
export const TextDiff = ({ from, to }: { from: string; to: string }) => {
  const { data: diffLines } = useQuery({
    queryKey: ['code', 'diff'],
    queryFn: async () => (await import('diff')).diffLines,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!diffLines) return <Skeleton lines={3} />
  const lines = diffLines(from, to).flatMap(({ value, added, removed }): Line[] =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ sign: added ? '+' : removed ? '−' : ' ', text })),
  )
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - CONTEXT_LINES), i + CONTEXT_LINES + 1).some(({ sign }) => sign !== ' '))
  return (
    <div className="max-h-80 overflow-auto rounded-md border border-line bg-bg py-1 font-mono text-xs" dir="auto">
      {lines.map(({ sign, text }, i) =>
        near[i] ? (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff never change
            key={i}
            className={cx(
              'flex gap-2 px-2 whitespace-pre-wrap',
              sign === '+' && 'bg-good-soft text-good',
              sign === '−' && 'bg-bad-soft text-bad',
            )}
          >
            <span aria-hidden={sign === ' '} className="w-3 shrink-0 select-none">
              {sign}
            </span>
            <span className="min-w-0 break-words">{text || ' '}</span>
          </div>
        ) : (
          near[i - 1] && (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <div key={i} className="px-2 text-faint">
              ⋯
            </div>
          )
        ),
      )}
    </div>
  )
}
