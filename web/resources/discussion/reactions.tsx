import { useMutation } from '@tanstack/react-query'
import { SmilePlus } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useCan } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Popover } from '../../ui/popover.tsx'
import { showErrorToast } from '../../ui/toast.tsx'
import type { Comment } from './comment.tsx'

type Reaction = Comment['reactions'][number]
type Kind = Reaction['kind']

const EMOJI: Readonly<Record<Kind, readonly [emoji: string, label: string]>> = {
  thumbs_up: ['👍', t('Thumbs up')],
  thumbs_down: ['👎', t('Thumbs down')],
  heart: ['❤️', t('Heart')],
  celebrate: ['🎉', t('Celebrate')],
  eyes: ['👀', t('Looking into it')],
  thinking: ['🤔', t('Thinking')],
}

const formatWho = ({ count, users }: Reaction): string => {
  const names = users.map(({ name }) => name).join(', ')
  return count > users.length ? t('{names} and {n} more', { names, n: count - users.length }) : names
}

/** The reactions to a comment with who gave them; a click adds or removes one's own. */
export const Reactions = ({ comment: { id, text, reactions }, onChange }: { comment: Comment; onChange: () => void }) => {
  const canReact = useCan('questions.ask') && text !== null
  const toggle = useMutation({
    mutationFn: (kind: Kind) => {
      const path = `/comments/${id}/reactions/${kind}`
      return reactions.some((each) => each.kind === kind && each.mine) ? api.delete(path) : api.put(path)
    },
    onSuccess: onChange,
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  if (reactions.length === 0 && !canReact) return null
  return (
    <div className="mt-1.5 -ms-1 flex flex-wrap items-center gap-1.5">
      {reactions.map((reaction) => (
        <ReactionButton
          key={reaction.kind}
          reaction={reaction}
          disabled={!canReact}
          busy={toggle.isPending}
          onClick={() => toggle.mutate(reaction.kind)}
        />
      ))}
      {canReact && <AddReaction reactions={reactions} onAdd={(kind) => toggle.mutate(kind)} />}
    </div>
  )
}

interface ReactionButtonProps {
  readonly reaction: Reaction
  readonly disabled: boolean
  readonly busy: boolean
  readonly onClick: () => void
}

const ReactionButton = ({ reaction, disabled, busy, onClick }: ReactionButtonProps) => {
  const [emoji, label] = EMOJI[reaction.kind]
  const who = formatWho(reaction)
  return (
    <button
      type="button"
      aria-pressed={reaction.mine}
      aria-label={t('{label}: {n}, from {who}', { label, n: reaction.count, who })}
      title={who}
      disabled={disabled}
      onClick={busy ? undefined : onClick}
      className={cx(
        'inline-flex h-6 items-center gap-1 rounded-full border px-2 text-xs tabular-nums',
        reaction.mine ? 'border-accent bg-accent-soft text-accent' : 'border-line text-soft enabled:hover:bg-hover',
      )}
    >
      <span aria-hidden>{emoji}</span>
      {reaction.count}
    </button>
  )
}

const AddReaction = ({ reactions, onAdd }: { reactions: Comment['reactions']; onAdd: (kind: Kind) => void }) => (
  <Popover
    label={t('Add a reaction')}
    trigger={(props) => (
      <Button
        {...props}
        small
        look="quiet"
        icon={SmilePlus}
        aria-label={t('Add a reaction')}
        title={t('Add a reaction')}
        className="h-6 px-1.5"
      />
    )}
  >
    {(close) => (
      <div className="flex gap-0.5">
        {(Object.keys(EMOJI) as Kind[]).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-label={EMOJI[kind][1]}
            aria-pressed={reactions.some((each) => each.kind === kind && each.mine)}
            title={EMOJI[kind][1]}
            onClick={() => {
              close()
              onAdd(kind)
            }}
            className="flex size-8 items-center justify-center rounded-md text-base hover:bg-hover aria-pressed:bg-accent-soft"
          >
            <span aria-hidden>{EMOJI[kind][0]}</span>
          </button>
        ))}
      </div>
    )}
  </Popover>
)
