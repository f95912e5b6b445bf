const APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform)
const NAMES: Record<string, string> = { mod: APPLE ? '⌘' : 'Ctrl', shift: '⇧', Enter: '↵', Space: 'Space', Escape: 'Esc' }

/** Shows a shortcut: `mod+k`, or `g s` for a sequence. */
export const Kbd = ({ keys }: { keys: string }) => (
  <span className="inline-flex gap-1">
    {keys
      .split(' ')
      .flatMap((chord) => chord.split(/(?<=.)\+/)) // `+` alone is a key
      .map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-[0.6875rem] text-soft"
        >
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
  </span>
)
