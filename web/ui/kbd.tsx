const IS_APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform)
const KEY_NAMES: Record<string, string> = { mod: IS_APPLE ? '⌘' : 'Ctrl', shift: '⇧', Enter: '↵', Space: 'Space', Escape: 'Esc' }

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
          {KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
  </span>
)
